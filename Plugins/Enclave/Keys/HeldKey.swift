import Cryptography
import Wire

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
