import Cryptography
package import Protocol

/// A sealed record with its place, counted from 0.
package enum BackupRecord: Equatable, Sendable {
  case item(SealedRecord, number: UInt64)
  /// The last record; its place is the number of items.
  case end([UInt8], number: UInt64)
}

/// Takes a backup apart into sealed records, with one record at a time in memory.
package struct BackupReader {
  /// Gives so many of the next bytes; fewer only at the end.
  package typealias Source = (Int) throws(Failure) -> [UInt8]

  package let header: BackupHeader
  private let source: Source
  /// The place of the next record.
  package private(set) var count: UInt64 = 0
  private var isOver = false

  /// - Throws: as ``BackupHeader/init(decoding:)``, and what `source` throws.
  package init(_ source: @escaping Source) throws(Failure) {
    self.source = source
    header = try BackupHeader(decoding: try source(BackupHeader.size))
  }

  /// The next record, or nil after the last.
  /// - Throws: `backupDamaged` if the file is cut short or goes on behind its end.
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

/// The bytes in front of a sealed record.
package struct BackupRecordHead: Equatable, Sendable {
  /// Authenticated with the record.
  package enum Kind: Hashable, Sendable {
    case item(PortableKind)
    /// The last one, with the number of items. Without it a backup is cut short.
    case end

    private static let endNumber: UInt8 = 2

    /// Nil if a file of this version has no such kind.
    init?(_ number: UInt8, version: UInt32) {
      if number == Self.endNumber {
        self = .end
      } else {
        guard let kind = PortableKind(rawValue: number), version >= kind.firstVersion else {
          return nil
        }
        self = .item(kind)
      }
    }

    var number: UInt8 {
      switch self {
      case .item(let kind): kind.rawValue
      case .end: Self.endNumber
      }
    }

    var limit: Int {
      let contents =
        switch self {
        case .item(let kind): PortableItem.longest(kind)
        case .end: RecordPadding.block
        }
      return contents + AES256GCM.overhead
    }
  }

  package static let size = 5

  package let kind: Kind
  package let count: Int

  package init(_ kind: Kind, count: Int) {
    (self.kind, self.count) = (kind, count)
  }

  /// - Throws: `backupDamaged` for an unknown kind, or a length that the kind cannot have, before
  ///   memory is reserved.
  init(decoding bytes: [UInt8], record number: UInt64, version: UInt32) throws(Failure) {
    do throws(DecodeError) {
      var decoder = WireDecoder(bytes.span)
      let (byte, count): (UInt8, UInt32) = try decoder.read()
      try decoder.finish()
      guard let kind = Kind(byte, version: version), count <= kind.limit else {
        throw .invalidValue(field: "record")
      }
      self.init(kind, count: Int(count))
    } catch {
      throw .backupRecordDamaged(number)
    }
  }

  package var encoded: [UInt8] {
    var encoder = WireEncoder(capacity: Self.size)
    encoder.write(kind.number, UInt32(count))
    return encoder.finishPlain()
  }
}

extension PortableKind {
  fileprivate var firstVersion: UInt32 {
    switch self {
    case .secret: 1
    case .certificate: 2
    case .guarded: 3
    }
  }
}
