import CLibcrypto

/// The hash functions of FIPS 180-4. Hashes are not secret; a hash of a secret is made with
/// ``HMACSHA256``.
package enum SHA2 {
  /// SHA-256: 32 bytes.
  package static func sha256(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe hash(message, Libcrypto.sha256, count: 32)
  }

  /// SHA-384: 48 bytes.
  package static func sha384(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe hash(message, Libcrypto.sha384, count: 48)
  }

  /// SHA-512: 64 bytes.
  package static func sha512(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe hash(message, Libcrypto.sha512, count: 64)
  }

  /// `function` is one of libcrypto's with hashes of `count` bytes.
  @unsafe private static func hash(
    _ message: Span<UInt8>, _ function: OpaquePointer?, count: Int
  ) throws(CryptographyError) -> [UInt8] {
    guard let function = unsafe function else { throw Libcrypto.failure("SHA-2") }
    var hash = [UInt8](repeating: 0, count: count)
    let done = unsafe message.withUnsafeBufferPointer { message in
      unsafe hash.withUnsafeMutableBufferPointer { hash in
        unsafe EVP_Digest(
          message.baseAddress, message.count, hash.baseAddress, nil, function, nil)
      }
    }
    guard done == 1 else { throw Libcrypto.failure("SHA-2") }
    return hash
  }
}
