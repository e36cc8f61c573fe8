package import Protocol

/// A 256-bit key for one purpose: a move-only owner of 32 bytes in locked memory.
package struct SymmetricKey: ~Copyable, Sendable {
  /// Bytes in a key.
  package static let size = 32

  /// The key itself.
  package let bytes: SecretBytes

  /// Takes over 32 bytes.
  /// - Throws: ``CryptographyError/wrongSize(field:expected:found:)``.
  package init(_ bytes: consuming SecretBytes) throws(CryptographyError) {
    guard bytes.count == Self.size else {
      throw .wrongSize(field: "key", expected: Self.size, found: bytes.count)
    }
    self.bytes = bytes
  }

  /// A new random key (`getrandom(2)`).
  package init() throws(CryptographyError) {
    bytes = try RandomBytes.secret(count: Self.size)
  }

  private init(unchecked bytes: consuming SecretBytes) { self.bytes = bytes }

  /// The same key once more; said out loud because every copy is one more to wipe.
  package borrowing func duplicate() -> SymmetricKey {
    SymmetricKey(unchecked: bytes.duplicate())
  }

  /// A key for another purpose that tells nothing about this one or its siblings (HKDF with
  /// `purpose` as `info`).
  ///
  /// This key has to be uniformly random itself, as every key made here is. `purpose`: at most
  /// 1,024 bytes; one purpose, one key.
  package borrowing func derivedKey(for purpose: [UInt8]) throws(CryptographyError)
    -> SymmetricKey
  {
    SymmetricKey(
      unchecked: try HKDFSHA256.deriveKey(
        from: bytes.bytes, salt: [], purpose: purpose, count: Self.size))
  }

  /// ``derivedKey(for:)-([UInt8])`` for a purpose with a name.
  package borrowing func derivedKey(for purpose: StaticString) throws(CryptographyError)
    -> SymmetricKey
  {
    try derivedKey(for: Array("\(purpose)".utf8))
  }
}
