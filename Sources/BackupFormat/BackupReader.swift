package import Wire

/// A record as it lies in the file.
package struct BackupRecord: Equatable, Sendable {
  package let kind: BackupRecordHead.Kind
  /// Its place in the file, counted from 0.
  package let number: UInt64
  package let sealed: [UInt8]
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
    let head = try BackupRecordHead(decoding: bytes, record: count)
    let sealed = try source(head.count)
    guard sealed.count == head.count else { throw .backupCutShort }
    let record = BackupRecord(kind: head.kind, number: count, sealed: sealed)
    switch head.kind {
    case .item: count += 1
    case .end:
      isOver = true
      guard try source(1).isEmpty else { throw .backupHasMore }
    }
    return record
  }
}
