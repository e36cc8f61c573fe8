import Cryptography
import Protocol

/// A key in the enclave's memory that several tables refer to; wiped when the last of them drops
/// it.
final class HeldKey: Sendable {
  /// The key.
  let key: SymmetricKey

  init(_ key: consuming SymmetricKey) { self.key = key }

  init(_ bytes: consuming SecretBytes) throws(CryptographyError) {
    key = try SymmetricKey(bytes)
  }
}

/// A secret in the enclave's memory that several values refer to; wiped when the last of them drops
/// it.
final class HeldSecret: Sendable {
  /// The secret.
  let bytes: SecretBytes

  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
