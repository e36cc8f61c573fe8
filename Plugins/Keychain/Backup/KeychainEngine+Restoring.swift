import Protocol

extension KeychainEngine {
  /// ``RestoreItems``: each record becomes a row beside the items, sealed by the enclave as this
  /// device's. A failure ends the restore.
  func restore(_ request: RestoreItems, in context: ContextName) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    do throws(Failure) {
      if request.first == 0 { try beginRestore(request.mode, context) }
      guard let session = restoring, session.continues(with: request, in: context) else {
        throw Self.noRestore
      }
      let continued = try take(request.records, session)
      restoring = continued
      return ItemsRestored(counts: continued.counts).encoded()
    } catch {
      abandonRestore()
      throw error
    }
  }

  /// ``FinishRestore``: all rows or none become items, in one transaction.
  func finishRestore(
    _ request: FinishRestore, in context: ContextName
  ) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    guard let session = restoring, session.context == context else { throw Self.noRestore }
    do throws(Failure) {
      let counts = try enclave.openBackupEnd(request.record, at: session.next)
      guard counts.items == session.next else { throw EnclaveLink.mismatch }
      guard session.mode == .apply else {
        restoring = nil
        return ItemsRestored(counts: session.counts).encoded()
      }
      let (added, replaced) = try store.commitStaged(session.mark, count: session.staged)
      restoring = nil
      return ItemsRestored(counts: session.final(added: added, replaced: replaced)).encoded()
    } catch {
      abandonRestore()
      throw error
    }
  }

  private func beginRestore(_ mode: RestoreMode, _ context: ContextName) throws(Failure) {
    try enclave.identify()
    let mark = try freshIdentifier()
    if mode == .apply { try store.beginStaging() }
    restoring = RestoreSession(context, mode, mark: mark)
  }

  /// Forgets what was brought.
  private func abandonRestore() {
    let wasStaging = restoring?.mode == .apply
    restoring = nil
    if wasStaging { store.dropStaged() }
  }

  private func take(
    _ records: [SealedRecord], _ session: RestoreSession
  ) throws(Failure) -> RestoreSession {
    var session = session
    let items = try items(in: records, session)
    let names = try names(of: items)
    let decisions = try decisions(items, names)
    if session.mode == .apply {
      let rows = try sealed(items, names, decisions, records, session)
      session.staged += try store.stage(rows, mark: session.mark)
    }
    session.note(decisions)
    return session
  }

  /// The items of records, as they are to be on this device.
  private func items(
    in records: [SealedRecord], _ session: RestoreSession
  ) throws(Failure) -> [ItemAttributes] {
    var items: [ItemAttributes] = []
    for (record, opened) in zip(records, try enclave.openFromBackup(records, from: session.next)) {
      guard var item = opened.attributes,
        record.kind == PortableKind(of: item.itemClass, isGuarded: item.accessControl != nil),
        (record.kind == .certificate) == (opened.certificate != nil)
      else { throw Self.unknownAttributes(session.next) }
      do throws(Failure) {
        if let certificate = opened.certificate { try item.describe(certificate) }
        try item.requireValid()
      } catch {
        throw Self.unknownAttributes(session.next)
      }
      // Items of when there were no groups were those of the owner's command.
      if item.group.isEmpty { item.group = session.context.requester.application }
      // The other device has other programs: what was granted is to be granted there.
      item.sharedWith = []
      items.append(item)
    }
    return items
  }

  /// What each is found by.
  private func names(of items: [ItemAttributes]) throws(Failure) -> [HashedName] {
    var names: [HashedName] = []
    var rest = items[...]
    while let group = rest.first?.group {
      let part = rest.prefix { AccessGroup.isSame($0.group, group) }
      names += try enclave.hashes(of: Array(part), in: group)
      rest = rest.dropFirst(part.count)
    }
    return names
  }

  private func decisions(
    _ items: [ItemAttributes], _ names: [HashedName]
  ) throws(Failure) -> [RestoreDecision] {
    let present = try store.rows(named: zip(items, names).map { ($0.itemClass, $1) })
    let rows = zip(present, names).compactMap { row, name in
      row.map { (row: $0, protection: $0.protection(group: name.group)) }
    }
    var opened = try enclave.openAttributes(of: rows).makeIterator()
    return zip(items, present).map { item, row in
      row.map { RestoreDecision(item, over: $0, opened.next() ?? .damaged) } ?? .add
    }
  }

  /// What is added or comes in another one's place, sealed.
  private func sealed(
    _ items: [ItemAttributes], _ names: [HashedName], _ decisions: [RestoreDecision],
    _ records: [SealedRecord], _ session: RestoreSession
  ) throws(Failure) -> [StagedRow] {
    var entries: [RestoredEntry] = []
    var rows: [StagedRow] = []
    for index in items.indices {
      var item = items[index]
      let (identifier, replaced): ([UInt8], ItemRow?)
      switch decisions[index] {
      case .keep: continue
      case .add: (identifier, replaced) = (try freshIdentifier(), nil)
      case .replace(let row, let applications):
        (identifier, replaced) = (row.identifier, row)
        item.sharedWith = applications
      }
      item.identifier = ItemRow.text(of: identifier)
      let identity = ItemRow.identity(
        identifier, itemClass: item.itemClass, group: names[index].group)
      entries.append(
        RestoredEntry(
          number: session.next + UInt64(index), record: records[index],
          protection: ItemProtection(
            accessibility: item.accessibility, accessControl: item.accessControl,
            identity: identity), attributes: EnclaveLink.encoded(item)))
      rows.append(
        StagedRow(
          identifier: identifier, itemClass: item.itemClass, accessibility: item.accessibility,
          accessControl: item.accessControl, name: names[index], replaced: replaced))
    }
    let sealed = try enclave.sealFromBackup(entries)
    for index in rows.indices { rows[index].sealed = sealed[index] }
    return rows
  }

  private static var noRestore: Failure {
    Failure(
      .invalidContext, "these are not the next items of a restore that has begun",
      hint: "run the command again: authcore backup restore")
  }

  private static func unknownAttributes(_ number: UInt64) -> Failure {
    Failure(
      .backupTooNew,
      "the backup holds items that this authcore does not know, from record \(number) on",
      hint: "nothing was changed; update authcore")
  }
}
