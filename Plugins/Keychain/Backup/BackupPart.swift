import GRDB
import Protocol

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

  fileprivate mutating func take(_ row: ItemRow, _ columns: Row) {
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
    guard let group = columns.bytes(at: BackupPart.groupColumn),
      let protection = row.protection(group: group),
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
  private static let groupColumn = 7
  private static let secretColumn = 8
}

extension ItemStore {
  /// The next rows, beginning with the place that ``BackupPart/next`` says or with 0, with their
  /// secrets. Rows that are added meanwhile come later; one that is changed comes as it is when its
  /// turn has come.
  func backupPart(
    from place: UInt64, proving proofs: EvidenceSet
  ) throws(Failure) -> BackupPart {
    try read { database in
      var part = BackupPart(proofs)
      let statement = try database.cachedStatement(
        sql: "SELECT \(BackupPart.columns) FROM items WHERE sequence >= ? ORDER BY sequence")
      let cursor = try Row.fetchCursor(statement, arguments: [Int64(place: place)])
      while let columns = try cursor.next() {
        let row = ItemRow(columns)
        guard !part.isFull else {
          part.next = row.sequence.place
          break
        }
        part.take(row, columns)
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
