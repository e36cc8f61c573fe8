import Protocol
import Synchronization

/// A secret on its way from the client to an engine. The core passes it on and never looks at it.
final class SharedSecret: Sendable {
  private let secret: Mutex<SecretBytes?>
  private let asTyped: Mutex<SecretBytes?>
  /// Whether a wrong passcode counts for the destruction of everything.
  let mayErase: Bool
  /// The locked memory it lies in, where it does not belong to a request.
  private let share: SecretLedger.Share?

  /// Takes the secret over, and what a person typed, where that is not the same.
  init(
    _ secret: consuming sending SecretBytes,
    asTyped: consuming sending SecretBytes = SecretBytes(count: 0), mayErase: Bool = true,
    _ share: SecretLedger.Share? = nil
  ) {
    self.mayErase = mayErase
    self.secret = Mutex(secret)
    self.asTyped = Mutex(asTyped)
    self.share = share
  }

  /// The secret; empty when it has been taken.
  func take() -> SecretBytes {
    let taken = secret.withLock { $0.take() }
    return taken ?? SecretBytes(count: 0)
  }

  /// What a person typed, where that is not the secret; else, and once it was taken, empty.
  func takeTyped() -> SecretBytes {
    let taken = asTyped.withLock { $0.take() }
    return taken ?? SecretBytes(count: 0)
  }

  /// The same bytes for a request that may have to be made again; empty when the secret has been
  /// taken.
  func shared() -> SecretBytes {
    secret.withLock { secret in
      switch secret {
      case .some(let secret): secret.shared()
      case .none: SecretBytes(count: 0)
      }
    }
  }
}
