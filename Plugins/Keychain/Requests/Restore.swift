import EngineKit
import Protocol

/// Brings the items of a backup back.
final class Restore {
  private let items: ItemStore
  private let enclave: EnclaveLink
  private let services: EngineServices
  private let staged: StagedRows
  /// The restore under way. Another one replaces it.
  private var session: RestoreSession?

  init(_ items: ItemStore, _ enclave: EnclaveLink, _ services: EngineServices) {
    (self.items, self.enclave, self.services) = (items, enclave, services)
    staged = StagedRows(keychain: items.keychain)
  }

  /// ``RestoreItems``: each record becomes a row beside the items, sealed by the enclave for this
  /// device. A failure ends the restore.
  func take(_ request: RestoreItems, in context: ContextName) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    do throws(Failure) {
      if request.first == 0 { try begin(request.mode, context) }
      guard let session, session.continues(with: request, in: context) else {
        throw Self.noRestore
      }
      let continued = try take(request.records, session)
      self.session = continued
      return ItemsRestored(counts: continued.counts).encoded()
    } catch {
      abandon()
      throw error
    }
  }

  /// ``FinishRestore``: turns all rows or none into items, in one transaction.
  func finish(
    _ request: FinishRestore, in context: ContextName
  ) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    guard let session, session.context == context else { throw Self.noRestore }
    do throws(Failure) {
      let counts = try enclave.openBackupEnd(request.record, at: session.next)
      guard counts.items == session.next else { throw EnclaveLink.mismatch }
      guard session.mode == .apply else {
        self.session = nil
        return ItemsRestored(counts: session.counts).encoded()
      }
      let (added, replaced) = try staged.commit(session.mark, count: session.staged)
      self.session = nil
      return ItemsRestored(counts: session.final(added: added, replaced: replaced)).encoded()
    } catch {
      abandon()
      throw error
    }
  }

  private func begin(_ mode: RestoreMode, _ context: ContextName) throws(Failure) {
    try enclave.identify()
    let mark = try services.newIdentifier()
    if mode == .apply { try staged.begin() }
    session = RestoreSession(context, mode, mark: mark)
  }

  private func abandon() {
    let wasStaging = session?.mode == .apply
    session = nil
    if wasStaging { staged.drop() }
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
      session.staged += try staged.add(rows, mark: session.mark)
    }
    session.note(decisions)
    return session
  }

  /// The items of records, as this device will have them.
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
      // Items from before there were groups belonged to the owner's command.
      if item.group.isEmpty { item.group = session.context.requester.application }
      // Grants do not move: the other device has other programs.
      item.sharedWith = []
      items.append(item)
    }
    return items
  }

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
    let present = try self.items.rows(named: zip(items, names).map { ($0.itemClass, $1) })
    let rows = zip(present, names).compactMap { row, name in
      row.map { NamedRow($0, group: name.group) }
    }
    var opened = try enclave.openAttributes(of: rows).makeIterator()
    return zip(items, present).map { item, row in
      row.map { RestoreDecision(item, over: $0, opened.next() ?? .damaged) } ?? .add
    }
  }

  /// The added and replacing rows, sealed.
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
      case .add: (identifier, replaced) = (try services.newIdentifier(), nil)
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

/// A restore under way.
struct RestoreSession {
  /// The client that brings the items, whose context has the backup's key.
  let context: ContextName
  let mode: RestoreMode
  /// Marks its staged rows: random, so that another process's rows are not taken for them.
  let mark: [UInt8]
  private(set) var next: UInt64 = 0
  private(set) var counts = RestoreCounts()
  var staged = 0

  init(_ context: ContextName, _ mode: RestoreMode, mark: [UInt8]) {
    (self.context, self.mode, self.mark) = (context, mode, mark)
  }

  func continues(with request: RestoreItems, in context: ContextName) -> Bool {
    self.context == context && mode == request.mode && next == request.first
  }

  mutating func note(_ decisions: [RestoreDecision]) {
    next += UInt64(decisions.count)
    for decision in decisions {
      switch decision {
      case .add: counts.added += 1
      case .replace: counts.replaced += 1
      case .keep: counts.kept += 1
      }
    }
  }

  /// The final counts: an item that was added or changed since the decision stays.
  func final(added: Int, replaced: Int) -> RestoreCounts {
    let (added, replaced) = (UInt64(added), UInt64(replaced))
    return RestoreCounts(added: added, replaced: replaced, kept: next - added - replaced)
  }
}

enum RestoreDecision {
  case add
  /// The row to replace, and the applications that its item is shared with.
  case replace(ItemRow, sharedWith: [String])
  case keep

  /// Decides about an item of the backup and the row of the same name.
  ///
  /// The later change counts. An item that stays on this device is never replaced by one that need
  /// not: the backup's item is less protected. A damaged item is replaced; backups exist for that.
  /// An item that is newer than the keybag is whole, and opens again with the right keybag. Grants
  /// of the owner stay.
  init(_ item: ItemAttributes, over row: ItemRow, _ opened: EnclaveLink.OpenedAttributes) {
    guard let clear = row.clear, clear.accessControl == nil,
      !clear.accessibility.isThisDeviceOnly
    else {
      self = .keep
      return
    }
    switch opened {
    case .value(let present) where row.agrees(with: present):
      self =
        item.modifiedAt > present.modifiedAt
        ? .replace(row, sharedWith: present.sharedWith) : .keep
    case .value, .damaged: self = .replace(row, sharedWith: [])
    case .closed, .newer: self = .keep
    }
  }
}
