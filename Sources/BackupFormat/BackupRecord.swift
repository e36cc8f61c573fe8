package import Wire

/// What lies in front of a record's sealed bytes.
package struct BackupRecordHead: Equatable, Sendable {
  /// What a record is; authenticated with it.
  package enum Kind: UInt8, CaseIterable, Sendable {
    case item = 1
    /// The last one: how many there are. Without it a backup is cut short.
    case end = 2
  }

  /// Bytes of a head.
  package static let size = 5

  package let kind: Kind
  /// Sealed bytes that follow.
  package let count: Int

  /// A head for `count` sealed bytes.
  package init(_ kind: Kind, count: Int) {
    self.kind = kind
    self.count = count
  }

  /// Reads a head.
  /// - Throws: `backupDamaged` for a kind that there is not, and for a length that no record of the
  ///   kind has: so nobody reserves memory for it.
  package init(decoding bytes: [UInt8], record number: UInt64) throws(Failure) {
    do throws(DecodeError) {
      var decoder = WireDecoder(bytes.span)
      let (byte, count): (UInt8, UInt32) = try decoder.read()
      try decoder.finish()
      guard let kind = Kind(rawValue: byte), count <= BackupCipher.longest(kind) else {
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
    encoder.write(kind.rawValue, UInt32(count))
    return encoder.finishPlain()
  }
}
