import AuthcoreABI
import EngineKit
import GRDB
import Protocol

extension KeychainEngine {
  /// ``BackUpItems``: stored rows go to the enclave, and records come back. The enclave decides
  /// what may leave; rows that may not are counted and not asked for (A9).
  func backUp(_ request: BackUpItems, in context: ContextName) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    if request.after == 0 { try enclave.identify() }
    var part = try items.backupPart(from: request.after, proving: request.proofs)
    let sealed: [AttributeBatch.Result]
    switch try enclave.sealForBackup(part.items) {
    case .records(let results): sealed = results
    case .evidenceNeeded(let needed): return needed.encoded()
    }
    var records: [SealedRecord] = []
    for (item, result) in zip(part.items, sealed) {
      switch result {
      case .value(let record): records.append(SealedRecord(item.kind, record))
      case .closed: part.leftOut += 1
      case .damaged, .newer: part.unreadable += 1
      }
    }
    let unreadable = part.unreadable
    if unreadable > 0 {
      services.log(
        ac_log_level_t(AC_LOG_WARNING), "\(unreadable) keychain items are in no backup: damaged")
    }
    return ItemsBackedUp(
      records: records, leftOut: part.leftOut, unreadable: unreadable, next: part.next,
      remaining: part.remaining
    ).encoded(capacity: records.reduce(64) { $0 + $1.bytes.count + 5 })
  }
}

struct BackupPart {
  /// Rows that may leave, as they are stored.
  var items: [StoredItemEntry] = []
  /// Rows that stay on this device; the last part counts keys too.
  var leftOut: UInt64 = 0
  /// Damaged rows.
  var unreadable: UInt64 = 0
  /// Where the next part begins, or nil after the last.
  var next: UInt64?
  /// At most this many rows follow.
  var remaining: UInt64 = 0

  /// Items in one part, and rows read for it.
  private static let most = (items: mostRestoredAtOnce, rows: 4096)
  /// Sealed bytes after which a part ends: with one more item, a message to the client fits into
  /// the locked memory that the core has for one program. A certificate as the last item makes a
  /// longer message, which is not locked.
  private static let bytes = 64 << 10

  /// Proofs that the owner can be asked for.
  private let proofs: EvidenceSet
  private var rows = 0
  private var size = 0

  fileprivate init(_ proofs: EvidenceSet) { self.proofs = proofs }

  fileprivate var isFull: Bool {
    items.count >= Self.most.items || rows >= Self.most.rows || size >= Self.bytes
  }

  fileprivate mutating func take(_ named: NamedRow, _ columns: Row) {
    let row = named.row
    rows += 1
    guard let clear = row.clear else {
      unreadable += 1
      return
    }
    let mayLeave =
      clear.accessControl.map { !proofs.isEmpty && $0.isSatisfied(by: proofs) }
      ?? !clear.accessibility.isThisDeviceOnly
    guard mayLeave else {
      leftOut += 1
      return
    }
    guard let protection = named.protection,
      let content = columns.bytes(at: BackupPart.secretColumn),
      content.count <= largestSealedSecret(of: clear.itemClass)
    else {
      unreadable += 1
      return
    }
    items.append(
      StoredItemEntry(
        PortableKind(of: clear.itemClass, isGuarded: clear.accessControl != nil),
        protection: protection,
        attributes: row.sealedAttributes, content: content))
    size += row.sealedAttributes.count + content.count
  }

  fileprivate static let columns = ItemRow.columns + ", accessGroup, sealedSecret"
  private static let secretColumn = 8
}

extension ItemStore {
  /// The next rows with their secrets, from ``BackupPart/next`` or 0 on. Rows that are added
  /// meanwhile come later; a changed row comes as it is when its turn comes.
  fileprivate func backupPart(
    from place: UInt64, proving proofs: EvidenceSet
  ) throws(Failure) -> BackupPart {
    try keychain.read { database in
      var part = BackupPart(proofs)
      let statement = try database.cachedStatement(
        sql: "SELECT \(BackupPart.columns) FROM items WHERE sequence >= ? ORDER BY sequence")
      let cursor = try Row.fetchCursor(statement, arguments: [Int64(place: place)])
      while let columns = try cursor.next() {
        let named = NamedRow(columns)
        guard !part.isFull else {
          part.next = named.row.sequence.place
          break
        }
        part.take(named, columns)
      }
      if let next = part.next {
        let newest = try Int64.fetchOne(database, sql: "SELECT max(sequence) FROM items")
        part.remaining = newest.map { $0.place &- next &+ 1 } ?? 0
      } else {
        part.leftOut += UInt64(try Int.fetchOne(database, sql: "SELECT count(*) FROM keys") ?? 0)
      }
      return part
    }
  }
}

/// Sequence numbers in messages: unsigned, in the same order, even for numbers that SQLite never
/// gives.
extension Int64 {
  private static let least: UInt64 = 1 << 63

  fileprivate init(place: UInt64) { self.init(bitPattern: place ^ Self.least) }

  fileprivate var place: UInt64 { UInt64(bitPattern: self) ^ Self.least }
}
