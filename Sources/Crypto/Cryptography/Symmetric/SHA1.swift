/// SHA-1 (FIPS 180-4), by which public keys are called in certificates and keychains (RFC 5280
/// §4.2.1.2). It is a name there and proves nothing: others can make two messages of one hash.
package enum SHA1 {
  /// 20 bytes.
  package static func hash(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha1, count: 20)
  }
}
