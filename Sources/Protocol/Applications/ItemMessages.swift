// What applications ask of the keychain and what it answers, the same on every way: from a client
// to the core as an ``EngineRequest``, and unread from there to the keychain as an
// ``ApplicationRequest``.

/// The largest secret of an item, in bytes.
package let largestItemSecret = 48 << 10
/// The largest attributes of an item, as the keychain has them sealed, in bytes.
package let largestAttributes = 16 << 10

extension GotItem {
  /// Gives the message up for the secret.
  package consuming func takeSecret() -> SecretBytes { secret }
}
