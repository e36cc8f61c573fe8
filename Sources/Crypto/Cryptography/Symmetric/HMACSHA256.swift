package import Protocol

/// ``HMAC`` with SHA-256.
package enum HMACSHA256 {
  /// Bytes of a code.
  package static let size = 32

  /// The code of `message`; outside of test vectors `key` is a ``SymmetricKey``'s.
  package static func code(
    for message: Span<UInt8>, with key: borrowing SecretBytes
  ) throws(CryptographyError) -> [UInt8] {
    try HMAC.code(for: message, with: key, by: .sha256)
  }

  /// Whether `code` belongs to `message`, in a time that does not depend on where it differs.
  package static func isValid(
    _ code: Span<UInt8>, for message: Span<UInt8>, with key: borrowing SecretBytes
  ) throws(CryptographyError) -> Bool {
    let expected = try self.code(for: message, with: key)
    return SecretBytes(copying: expected.span).isEqual(to: code)
  }
}
