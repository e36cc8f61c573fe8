import AuthcoreABI
import EngineKit
import GRDB
import Protocol

extension KeychainEngine {
  /// ``BackUpItems``: rows as they are stored go to the enclave, and records come back. What may leave
  /// the enclave decides; what may not is not asked for (A9), and counted.
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

/// The next rows of a backup.
struct BackupPart {
  /// What may leave, as it is stored.
  var items: [StoredItemEntry] = []
  /// Rows, of keys too with the last part, that stay on this device.
  var leftOut: UInt64 = 0
  /// Rows whose columns are no item's.
  var unreadable: UInt64 = 0
  /// Where the next part begins; nil where there is none.
  var next: UInt64?
  /// How many rows follow at most.
  var remaining: UInt64 = 0

  /// Items in one part, and rows that are looked at for it.
  private static let most = (items: mostRestoredAtOnce, rows: 4096)
  /// Sealed bytes in one part after which it is long enough: a message to the client, with one more
  /// item, fits into the locked memory that the core has for one program. Where that is a
  /// certificate, it is a message of which none is locked.
  private static let bytes = 64 << 10

  /// What the owner can be asked for.
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

  /// Behind ``ItemRow/columns``.
  fileprivate static let columns = ItemRow.columns + ", accessGroup, sealedSecret"
  private static let secretColumn = 8
}

extension ItemStore {
  /// The next rows, beginning with the place that ``BackupPart/next`` says or with 0, with their
  /// secrets. Rows that are added meanwhile come later; one that is changed comes as it is when its
  /// turn has come.
  func backupPart(
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

/// Sequence numbers as messages have them, in the same order: none is before 0, not even one that
/// SQLite never gave.
extension Int64 {
  private static let least: UInt64 = 1 << 63

  fileprivate init(place: UInt64) { self.init(bitPattern: place ^ Self.least) }

  fileprivate var place: UInt64 { UInt64(bitPattern: self) ^ Self.least }
}
