import Cryptography
import Protocol

extension SymmetricKey {
  /// One key that needs both secrets.
  static func combining(
    _ first: borrowing SecretBytes, _ second: borrowing SecretBytes, for purpose: KeyPurpose
  ) throws(CryptographyError) -> SymmetricKey {
    var encoder = WireEncoder(capacity: 128)
    encoder.writeSecret(first)
    encoder.writeSecret(second)
    let all = encoder.finish()
    return try SymmetricKey(
      try HKDFSHA256.deriveKey(from: all.bytes, salt: [], purpose: purpose.name, count: size))
  }

  /// Another key, wrapped by this one for `purpose`.
  borrowing func wrapping(
    _ key: borrowing SymmetricKey, for purpose: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    try AES256GCM.seal(key.bytes.bytes, with: self, authenticating: purpose)
  }

  /// The key that ``wrapping(_:for:)`` wrapped.
  borrowing func unwrapping(
    _ wrapped: [UInt8], for purpose: [UInt8]
  ) throws(CryptographyError) -> SymmetricKey {
    try SymmetricKey(try AES256GCM.open(wrapped, with: self, authenticating: purpose))
  }
}
