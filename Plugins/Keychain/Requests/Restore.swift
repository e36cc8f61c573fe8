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

  /// ``FinishRestore``: all rows or none become items, in one transaction.
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
    let present = try self.items.rows(named: zip(items, names).map { ($0.itemClass, $1) })
    let rows = zip(present, names).compactMap { row, name in
      row.map { NamedRow($0, group: name.group) }
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

/// A restore on its way. There is one at a time: another one takes its place.
struct RestoreSession {
  /// Who brings the items, and where the backup's key is.
  let context: ContextName
  let mode: RestoreMode
  /// Its rows in the table of what was brought: random, so that those of another process are not
  /// taken for them.
  let mark: [UInt8]
  /// The place of the next record.
  private(set) var next: UInt64 = 0
  /// What is to become of the records so far.
  private(set) var counts = RestoreCounts()
  /// Rows that were staged.
  var staged = 0

  init(_ context: ContextName, _ mode: RestoreMode, mark: [UInt8]) {
    (self.context, self.mode, self.mark) = (context, mode, mark)
  }

  /// Whether these are its next records.
  func continues(with request: RestoreItems, in context: ContextName) -> Bool {
    self.context == context && mode == request.mode && next == request.first
  }

  /// Takes note of the next records.
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

  /// What became of all records, of which so many were added and so many took another one's place:
  /// whatever was added or changed since it was looked at stays.
  func final(added: Int, replaced: Int) -> RestoreCounts {
    let (added, replaced) = (UInt64(added), UInt64(replaced))
    return RestoreCounts(added: added, replaced: replaced, kept: next - added - replaced)
  }
}

/// What is to become of one item of a backup.
enum RestoreDecision {
  case add
  /// The row in whose place it comes, and the applications that this is shared with.
  case replace(ItemRow, sharedWith: [String])
  /// The item that is there stays.
  case keep

  /// An item of the backup, and the row of its name with what became of its attributes.
  ///
  /// The later change counts. What stays on this device is never replaced by what does not: the
  /// backup's item asks for less. A damaged item is what backups are for; one that is newer than the
  /// keybag is whole, and opens again with the right one. What the owner has granted here stays.
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
