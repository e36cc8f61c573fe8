import CLibcrypto
import Glibc
package import Protocol

/// A 256-bit key for one purpose, in locked memory.
package struct SymmetricKey: ~Copyable, Sendable {
  package static let size = 32

  package let bytes: SecretBytes

  /// - Throws: ``CryptographyError/wrongSize(field:expected:found:)``.
  package init(_ bytes: consuming SecretBytes) throws(CryptographyError) {
    guard bytes.count == Self.size else {
      throw .wrongSize(field: "key", expected: Self.size, found: bytes.count)
    }
    self.bytes = bytes
  }

  package init() throws(CryptographyError) {
    bytes = try RandomBytes.secret(count: Self.size)
  }

  private init(unchecked bytes: consuming SecretBytes) { self.bytes = bytes }

  /// A copy of the key, made explicit because every copy has to be wiped.
  package borrowing func duplicate() -> SymmetricKey {
    SymmetricKey(unchecked: bytes.duplicate())
  }

  /// A key for another purpose, which reveals nothing about this one or its siblings (HKDF with
  /// `purpose` as `info`). `purpose` has at most 1,024 bytes.
  ///
  /// This key has to be uniformly random itself, as every key made here is.
  package borrowing func derivedKey(for purpose: [UInt8]) throws(CryptographyError)
    -> SymmetricKey
  {
    SymmetricKey(
      unchecked: try HKDFSHA256.deriveKey(
        from: bytes.bytes, salt: [], purpose: purpose, count: Self.size))
  }

  package borrowing func derivedKey(for purpose: StaticString) throws(CryptographyError)
    -> SymmetricKey
  {
    try derivedKey(for: Array("\(purpose)".utf8))
  }
}

/// The kernel's random generator.
package enum RandomBytes {
  /// Random bytes in locked memory.
  ///
  /// Blocks only until the kernel's generator has been seeded after the machine's start
  /// (`getrandom(2)`, no flags). Opens no file.
  /// - Throws: ``CryptographyError/randomUnavailable(errno:)``.
  package static func secret(count: Int) throws(CryptographyError) -> SecretBytes {
    var secret = SecretBytes(count: count)
    try fill(&secret)
    return secret
  }

  /// - Throws: ``CryptographyError/randomUnavailable(errno:)``.
  package static func fill(_ secret: inout SecretBytes) throws(CryptographyError) {
    let problem: Int32 = unsafe secret.withUnsafeMutableBytes { unsafe fill($0) }
    guard problem == 0 else { throw .randomUnavailable(errno: problem) }
  }

  /// Public random bytes: a nonce, a salt, an identifier.
  /// - Throws: ``CryptographyError/randomUnavailable(errno:)``.
  package static func open(count: Int) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let problem: Int32 = unsafe bytes.withUnsafeMutableBytes { unsafe fill($0) }
    guard problem == 0 else { throw .randomUnavailable(errno: problem) }
    return bytes
  }

  /// - Returns: 0 or the `errno` of the call that failed.
  @unsafe package static func fill(_ target: UnsafeMutableRawBufferPointer) -> Int32 {
    var filled = 0
    // A call may give fewer bytes, or none if a signal comes.
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
