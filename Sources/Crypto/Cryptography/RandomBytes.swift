import CLibcrypto
import Glibc
package import Protocol

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
