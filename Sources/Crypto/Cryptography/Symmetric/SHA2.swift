/// The hash functions of FIPS 180-4. Hashes are not secret; a hash of a secret is made with
/// ``HMACSHA256``.
package enum SHA2 {
  /// SHA-256: 32 bytes.
  package static func sha256(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha256, count: 32)
  }

  /// SHA-384: 48 bytes.
  package static func sha384(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha384, count: 48)
  }

  /// SHA-512: 64 bytes.
  package static func sha512(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha512, count: 64)
  }
}
