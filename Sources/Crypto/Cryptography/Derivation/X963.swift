package import Protocol

/// The key derivation of ANSI X9.63 (SEC 1 §3.6.1).
package enum X963 {
  /// The most bytes that are derived.
  package static let longest = 1 << 20

  /// Derives `count` bytes (1…``longest``) from a shared secret.
  /// - Parameters:
  ///   - secret: what both sides computed; at least one byte.
  ///   - sharedInfo: what else both sides know and mean.
  ///   - hash: the hash function; both sides have to mean the same.
  ///   - count: how many bytes.
  /// - Returns: the bytes in locked memory.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` outside of these limits.
  package static func deriveKey(
    from secret: borrowing SecretBytes, sharedInfo: [UInt8], hash: HashFunction = .sha256,
    count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard secret.count >= 1 else { throw .invalidParameter(field: "shared secret") }
    guard 1...longest ~= count else { throw .invalidParameter(field: "count") }
    return try unsafe secret.bytes.withUnsafeBytes { (secret) throws(CryptographyError) in
      try unsafe sharedInfo.span.withUnsafeBytes { (info) throws(CryptographyError) in
        let parameters = unsafe [
          Libcrypto.text("digest", hash.libcryptoName), Libcrypto.octets("secret", secret),
          Libcrypto.octets("info", info),
        ]
        return try unsafe Libcrypto.derive(
          Libcrypto.x963, parameters, count: count, operation: "X9.63")
      }
    }
  }
}
