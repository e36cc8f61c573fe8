package import Protocol

/// A record as it lies in the file, with its place, counted from 0.
package enum BackupRecord: Equatable, Sendable {
  case item(SealedRecord, number: UInt64)
  /// The last one; its place is how many there are before it.
  case end([UInt8], number: UInt64)
}

/// Takes a backup apart into its records, whatever its bytes come from, with one record at a time in
/// memory. What is in them it does not know.
package struct BackupReader {
  /// Gives that many of the next bytes; fewer only at the end of them.
  package typealias Source = (Int) throws(Failure) -> [UInt8]

  package let header: BackupHeader
  private let source: Source
  /// The place of the next record; how many there were.
  package private(set) var count: UInt64 = 0
  private var isOver = false

  /// Reads the header.
  /// - Throws: as ``BackupHeader/init(decoding:)``, and what `source` throws.
  package init(_ source: @escaping Source) throws(Failure) {
    self.source = source
    header = try BackupHeader(decoding: try source(BackupHeader.size))
  }

  /// The next record; nil behind the last.
  /// - Throws: `backupDamaged` where the file is cut short, or goes on behind its end.
  package mutating func next() throws(Failure) -> BackupRecord? {
    guard !isOver else { return nil }
    let bytes = try source(BackupRecordHead.size)
    guard bytes.count == BackupRecordHead.size else { throw .backupCutShort }
    let head = try BackupRecordHead(
      decoding: bytes, record: count, version: header.version)
    let sealed = try source(head.count)
    guard sealed.count == head.count else { throw .backupCutShort }
    switch head.kind {
    case .item(let kind):
      defer { count += 1 }
      return .item(SealedRecord(kind, sealed), number: count)
    case .end:
      isOver = true
      guard try source(1).isEmpty else { throw .backupHasMore }
      return .end(sealed, number: count)
    }
  }
}
