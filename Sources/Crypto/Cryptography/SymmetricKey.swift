import CLibcrypto
import Glibc
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

/// The kernel's random generator.
package enum RandomBytes {
  /// `count` random bytes in locked memory.
  ///
  /// Blocks only until the kernel's generator has been seeded once after the machine's start
  /// (`getrandom(2)`, no flags). Opens no file.
  /// - Throws: ``CryptographyError/randomUnavailable(errno:)``.
  package static func secret(count: Int) throws(CryptographyError) -> SecretBytes {
    var secret = SecretBytes(count: count)
    try fill(&secret)
    return secret
  }

  /// Replaces every byte of `secret`.
  /// - Throws: ``CryptographyError/randomUnavailable(errno:)``.
  package static func fill(_ secret: inout SecretBytes) throws(CryptographyError) {
    let problem: Int32 = unsafe secret.withUnsafeMutableBytes { unsafe fill($0) }
    guard problem == 0 else { throw .randomUnavailable(errno: problem) }
  }

  /// `count` random bytes that are no secret: a nonce, a salt, an identifier.
  /// - Throws: ``CryptographyError/randomUnavailable(errno:)``.
  package static func open(count: Int) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let problem: Int32 = unsafe bytes.withUnsafeMutableBytes { unsafe fill($0) }
    guard problem == 0 else { throw .randomUnavailable(errno: problem) }
    return bytes
  }

  /// Replaces every byte of memory that the caller keeps.
  /// - Returns: 0 or the `errno` of the call that failed.
  @unsafe package static func fill(_ target: UnsafeMutableRawBufferPointer) -> Int32 {
    var filled = 0
    // A call may give less than was asked for, or nothing when a signal comes.
    while filled < target.count {
      let count = unsafe getrandom(
        target.baseAddress.map { unsafe $0 + filled }, target.count - filled, 0)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      filled += count
    }
    return 0
  }
}
