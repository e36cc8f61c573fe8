import Synchronization
import Wire

/// A secret on its way from the client to an engine. The core passes it on and never looks at it.
final class SharedSecret: Sendable {
  private let secret: Mutex<SecretBytes?>
  /// The locked memory it lies in, where it does not belong to a request.
  private let share: SecretLedger.Share?

  /// Takes the secret over.
  init(_ secret: consuming sending SecretBytes, _ share: SecretLedger.Share? = nil) {
    self.secret = Mutex(secret)
    self.share = share
  }

  /// The secret; empty when it has been taken.
  func take() -> SecretBytes {
    let taken = secret.withLock { $0.take() }
    return taken ?? SecretBytes(count: 0)
  }

  /// A copy for a request that may have to be made again; empty when the secret has been taken.
  func duplicate() -> SecretBytes {
    secret.withLock { secret in
      switch secret {
      case .some(let secret): secret.duplicate()
      case .none: SecretBytes(count: 0)
      }
    }
  }
}
