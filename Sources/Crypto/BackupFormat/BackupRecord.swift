import Cryptography
package import Protocol

/// What lies in front of a record's sealed bytes.
package struct BackupRecordHead: Equatable, Sendable {
  /// What a record is; authenticated with it.
  package enum Kind: Hashable, Sendable {
    case item(PortableKind)
    /// The last one: how many there are. Without it a backup is cut short.
    case end

    private static let endNumber: UInt8 = 2

    /// The kind of a number in a file of a version; nil where that has none of it.
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

    /// The most sealed bytes.
    var limit: Int {
      let contents =
        switch self {
        case .item(let kind): PortableItem.longest(kind)
        case .end: RecordPadding.block
        }
      return contents + AES256GCM.overhead
    }
  }

  /// Bytes of a head.
  package static let size = 5

  package let kind: Kind
  /// Sealed bytes that follow.
  package let count: Int

  /// A head for `count` sealed bytes.
  package init(_ kind: Kind, count: Int) {
    (self.kind, self.count) = (kind, count)
  }

  /// Reads a head in a file of a version.
  /// - Throws: `backupDamaged` for a kind that there is not, and for a length that no record of the
  ///   kind has: so nobody reserves memory for it.
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

  /// As it lies in the file.
  package var encoded: [UInt8] {
    var encoder = WireEncoder(capacity: Self.size)
    encoder.write(kind.number, UInt32(count))
    return encoder.finishPlain()
  }
}

extension PortableKind {
  /// The first version of the format that has it.
  fileprivate var firstVersion: UInt32 {
    switch self {
    case .secret: 1
    case .certificate: 2
    case .guarded: 3
    }
  }
}
