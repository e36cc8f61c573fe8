import Protocol

extension KeychainEngine {
  /// ``FindGuarded``: what guards an item or a key stands in its columns, and whether it opens by that
  /// the enclave says. No context is asked, so nothing is opened.
  func findGuarded(
    _ request: FindGuarded, for application: String
  ) throws(Failure) -> SecretBytes {
    try requireOwnersProgram(application)
    var entries: [GuardedEntry] = []
    let rows = try store.guardedRows()
    let opened = try enclave.openAttributes(
      of: rows.map { (row: $0.row, protection: $0.protection) })
    for (guarded, attributes) in zip(rows, opened) {
      guard let protection = guarded.protection, let control = protection.accessControl else {
        continue
      }
      let isLost = try isLost { () throws(Failure) in
        _ = try enclave.authorize(guarded.sealed, as: protection)
      }
      var name = ""
      if case .value(let item) = attributes, guarded.row.agrees(with: item),
        item.group.isEmpty || AccessGroup.isSame(item.group, application)
      {
        name = item.nameForPeople
      }
      entries.append(
        GuardedEntry(
          identifier: ItemRow.text(of: guarded.row.identifier), name: name, isKey: false,
          accessControl: control, isLost: isLost))
    }
    let keys = try store.everyKey()
    for (row, attributes) in zip(keys, try enclave.openAttributes(of: keys)) {
      guard let protection = row.protection, let control = protection.accessControl else {
        continue
      }
      var (name, isLost) = ("", false)
      switch attributes {
      case .closed, .newer: break
      case .value(let key) where row.agrees(with: key):
        if key.group.isEmpty || AccessGroup.isSame(key.group, application) { name = key.name }
        // What two halves of one key agree on is of no use to anyone.
        let itself = UseKey(query: KeyQuery(), operation: .exchange, input: key.publicKey)
        isLost = try self.isLost { () throws(Failure) in
          _ = try enclave.use(row.sealedKey, as: protection, for: itself)
        }
      case .value, .damaged: isLost = true
      }
      entries.append(
        GuardedEntry(
          identifier: ItemRow.text(of: row.identifier), name: name, isKey: true,
          accessControl: control, isLost: isLost))
    }
    return FoundGuarded(entries: entries).encoded(capacity: 128 * entries.count)
  }

  /// Whether what is sealed opens by no proof. What its class keeps closed may open later.
  private func isLost(_ body: () throws(Failure) -> Void) throws(Failure) -> Bool {
    do throws(Failure) {
      try body()
      return false
    } catch {
      switch error.code {
      case .errSecAuthFailed, .errSecDecode: return true
      case .engineFailed: throw error
      default: return false
      }
    }
  }
}
