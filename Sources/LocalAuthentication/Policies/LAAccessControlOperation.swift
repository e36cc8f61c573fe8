/// What somebody wants to do with what an access control guards.
///
/// Making an item or a key is never guarded by its own access control, as with the keychain; every
/// use asks for all of it.
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

  /// Whether what guards the thing guards this, too.
  var isGuarded: Bool {
    switch self {
    case .createItem, .createKey: false
    case .useItem, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange: true
    }
  }
}
