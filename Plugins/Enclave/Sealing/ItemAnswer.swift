import Protocol

/// What came of opening an item.
enum ItemAnswer: ~Copyable {
  /// The evidence suffices, and this is the secret.
  case opened(SecretBytes)
  /// The evidence suffices, and nothing more was asked.
  case authorized
  /// More has to be proved.
  case needed(EvidenceNeeded)

  /// The reply to the core.
  consuming func encoded() -> SecretBytes {
    switch consume self {
    case .opened(let secret):
      let capacity = secret.count + 16
      return OpenedItem(secret: secret).encoded(capacity: capacity)
    case .authorized: return Done().encoded()
    case .needed(let needed): return needed.encoded()
    }
  }
}
