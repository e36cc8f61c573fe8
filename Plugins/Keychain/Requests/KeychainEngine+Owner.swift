import Protocol

extension KeychainEngine {
  /// ``FindApplications``: only the sealed attributes tell the owners of items and keys, so
  /// everything that is open is read.
  func findApplications(
    _ request: FindApplications, for application: String
  ) throws(Failure) -> SecretBytes {
    try requireOwnersProgram(application)
    var census = Census()
    var after = Int64.min
    while true {
      let page = try items.everyRow(after: after, count: largestBatch)
      for (named, opened) in zip(page, try enclave.openAttributes(of: page)) {
        guard case .value(let attributes) = opened, named.row.agrees(with: attributes) else {
          if case .closed = opened { census.isSomeClosed = true }
          continue
        }
        census.count(item: attributes)
      }
      guard page.count == largestBatch, let last = page.last else { break }
      after = last.row.sequence
    }
    let keys = try keys.everyKey()
    for (row, opened) in zip(keys, try enclave.openAttributes(of: keys)) {
      guard case .value(let key) = opened, row.agrees(with: key) else {
        if case .closed = opened { census.isSomeClosed = true }
        continue
      }
      census.count(key: key)
    }
    if census.isEmpty, census.isSomeClosed { throw Self.closed }
    return census.reply.encoded()
  }

  /// ``FindItemsOfApplication``: the owner is asked, because names are private to that application.
  func findItems(
    _ request: FindItemsOfApplication, for application: String
  ) throws(Failure) -> SecretBytes {
    try requireOwnersProgram(application)
    let name = try Self.named(request.application)
    if let needed = try enclave.requirePresence() { return needed.encoded() }
    return try find(FindItems(query: ItemQuery()), for: name)
  }

  private static func named(_ name: String) throws(Failure) -> String {
    guard AccessGroup.isApplication(name) else {
      throw Failure(
        .errSecParam, "\(name.withoutSteering) is not the name of an application",
        hint: "authcore app list shows their names")
    }
    return name
  }

  /// ``ForgetApplication``: removes closed items too, unseen, so the device must be unlocked. The
  /// items are another program's, so the owner is asked.
  func forget(
    _ request: ForgetApplication, for application: String
  ) throws(Failure) -> SecretBytes {
    try requireOwnersProgram(application)
    let name = try Self.named(request.application)
    guard try !enclave.isAClassClosed() else { throw Self.closed }
    for _ in 0..<Self.attempts {
      let filter = try enclave.filter(for: ItemQuery(), in: name)
      let rows = try items.rows(matching: filter)
      let keys = try keys.keys(of: filter.group, named: nil, identifier: nil)
      try refuseNewer(try enclave.openAttributes(of: rows))
      try refuseNewer(try enclave.openAttributes(of: keys))
      let shared = try allShared(with: name, exceptIn: filter.group)
      guard !rows.isEmpty || !keys.isEmpty || !shared.isEmpty else {
        throw Failure(
          .errSecItemNotFound, "\(name.withoutSteering) has nothing in the keychain",
          hint: "authcore app list shows which applications have")
      }
      if let needed = try enclave.requirePresence() { return needed.encoded() }
      var changes: [ChangedRow] = []
      for item in shared {
        var attributes = item.attributes
        attributes.sharedWith.removeAll { AccessGroup.isSame($0, name) }
        changes.append(try reshared(item, attributes))
      }
      if let removed = try items.forget(filter.group, changing: changes) {
        return ItemsChanged(count: UInt32(clamping: removed + changes.count)).encoded()
      }
    }
    throw Self.overtaken
  }

  /// Other programs learn nothing about each other.
  private func requireOwnersProgram(_ application: String) throws(Failure) {
    guard AccessGroup.isSame(application, commandApplication) else {
      throw Failure(
        .errSecMissingEntitlement, "only the owner's own programs see which applications there are",
        hint: "authcore app list, authcore app forget NAME")
    }
  }

  private func refuseNewer<Attributes>(
    _ opened: [EnclaveLink.Opened<Attributes>]
  ) throws(Failure) {
    for case .newer in opened { throw Self.newer }
  }
}

private struct Census {
  /// By the bytes of the name: texts that Unicode takes for equal are two.
  private var found: [[UInt8]: ApplicationHoldings] = [:]
  var isSomeClosed = false

  var isEmpty: Bool { found.isEmpty }

  mutating func count(item: ItemAttributes) {
    note(owner: item.group, items: 1)
    for application in item.sharedWith { note(application, shared: 1) }
  }

  mutating func count(key: EnclaveKey) { note(owner: key.group, keys: 1) }

  /// Items and keys without an owner are from before there were groups, and belong to the command.
  private mutating func note(owner: String, items: UInt32 = 0, keys: UInt32 = 0) {
    let owner = owner.isEmpty ? commandApplication : owner
    if AccessGroup.isApplication(owner) { note(owner, items: items, keys: keys) }
  }

  private mutating func note(
    _ name: String, items: UInt32 = 0, keys: UInt32 = 0, shared: UInt32 = 0
  ) {
    let known = found[Array(name.utf8)] ?? ApplicationHoldings(application: name)
    found[Array(name.utf8)] = ApplicationHoldings(
      application: name, items: known.items + items, keys: known.keys + keys,
      shared: known.shared + shared)
  }

  var reply: FoundApplications {
    FoundApplications(
      applications: found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value))
  }
}

extension KeychainEngine {
  /// ``FindGuarded``: columns tell what guards an item or key, and the enclave tells if that can
  /// still open it. Uses no context, so nothing is opened.
  func findGuarded(
    _ request: FindGuarded, for application: String
  ) throws(Failure) -> SecretBytes {
    try requireOwnersProgram(application)
    var entries: [GuardedEntry] = []
    let rows = try items.guardedRows()
    let opened = try enclave.openAttributes(of: rows.map(\.named))
    for ((named, sealed), attributes) in zip(rows, opened) {
      guard let protection = named.protection, let control = protection.accessControl else {
        continue
      }
      let isLost = try EnclaveLink.fails(with: Self.lossCodes) { () throws(Failure) in
        _ = try enclave.authorize(sealed, as: protection)
      }
      var name = ""
      if case .value(let item) = attributes, named.row.agrees(with: item),
        item.group.isEmpty || AccessGroup.isSame(item.group, application)
      {
        name = item.nameForPeople
      }
      entries.append(
        GuardedEntry(
          identifier: ItemRow.text(of: named.row.identifier), name: name, isKey: false,
          accessControl: control, isLost: isLost))
    }
    let keys = try keys.everyKey()
    for (row, attributes) in zip(keys, try enclave.openAttributes(of: keys)) {
      guard let protection = row.protection, let control = protection.accessControl else {
        continue
      }
      var (name, isLost) = ("", false)
      switch attributes {
      case .closed, .newer: break
      case .value(let key) where row.agrees(with: key):
        if key.group.isEmpty || AccessGroup.isSame(key.group, application) { name = key.name }
        // The secret that a key shares with itself is of no use to anyone.
        let itself = UseKey(query: KeyQuery(), operation: .exchange, input: key.publicKey)
        isLost = try EnclaveLink.fails(with: Self.lossCodes) { () throws(Failure) in
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

  /// Failures of what no proof opens. An item that its class keeps closed may open later.
  private static let lossCodes: Set<FailureCode> = [.errSecAuthFailed, .errSecDecode]
}
