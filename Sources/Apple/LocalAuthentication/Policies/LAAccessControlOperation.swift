/// What somebody wants to do with what an access control guards.
///
/// Whatever it is, `evaluateAccessControl` asks for all that the access control wants. The keychain
/// itself adds items and makes keys without asking.
public enum LAAccessControlOperation: Int, Sendable {
  /// Adding an item.
  case createItem = 0
  /// Reading an item.
  case useItem = 1
  /// Making a key.
  case createKey = 2
  /// Signing with a key.
  case useKeySign = 3
  /// Decrypting with a key.
  case useKeyDecrypt = 4
  /// Agreeing on a secret with a key.
  case useKeyKeyExchange = 5
}
