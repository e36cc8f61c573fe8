import CLibcrypto
package import Protocol

/// Keys from a key (RFC 5869 with SHA-256).
package enum HKDFSHA256 {
  /// Extract, then expand.
  /// - Parameters:
  ///   - key: the input keying material; at least one byte.
  ///   - salt: may be empty.
  ///   - purpose: `info` of the RFC; at most 1,024 bytes.
  ///   - count: 1…8,160 bytes (255 hashes).
  /// - Returns: `count` bytes in locked memory.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` outside of these limits.
  package static func deriveKey(
    from key: Span<UInt8>, salt: [UInt8], purpose: [UInt8], count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard key.count >= 1 else { throw .invalidParameter(field: "input key") }
    guard purpose.count <= 1024 else { throw .invalidParameter(field: "purpose") }
    guard 1...8160 ~= count else { throw .invalidParameter(field: "count") }
    return try unsafe key.withUnsafeBytes { (key) throws(CryptographyError) in
      try unsafe salt.span.withUnsafeBytes { (salt) throws(CryptographyError) in
        try unsafe purpose.span.withUnsafeBytes { (purpose) throws(CryptographyError) in
          var parameters = unsafe [
            Libcrypto.text("digest", "SHA2-256"), Libcrypto.octets("key", key),
            Libcrypto.octets("info", purpose),
          ]
          if salt.count > 0 { unsafe parameters.append(Libcrypto.octets("salt", salt)) }
          return try unsafe Libcrypto.derive(
            Libcrypto.hkdf, parameters, count: count, operation: "HKDF-SHA-256")
        }
      }
    }
  }
}
