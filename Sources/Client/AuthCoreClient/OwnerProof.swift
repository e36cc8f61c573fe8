import CoreClient
import LinuxSystem
public import Protocol
import Synchronization

/// What has to be proved.
public enum OwnerPolicy: Sendable {
  /// The owner's presence: a finger or the passcode.
  case owner
  /// A finger of the owner; the passcode does not count.
  case biometrics

  var evaluated: EvaluatedPolicy {
    switch self {
    case .owner: .owner
    case .biometrics: .biometrics
    }
  }
}

/// A proof of the owner's presence, which the enclave keeps for any number of requests.
///
/// A proof counts for at most five minutes, and not beyond a lock of the device or a change of its
/// passcode or fingers; then the next request asks again. Any thread and any task; requests that
/// name one proof run one after another.
public final class OwnerProof: Sendable {
  let context: ApplicationContext
  private let reuseSeconds: UInt32

  /// Creates an empty proof: the first request that names it asks the owner.
  /// - Parameters:
  ///   - keychain: whose owner is meant.
  ///   - reuseSeconds: ``prove(_:reason:timeout:)`` asks nobody if a touch unlocked the device at
  ///     most this many seconds ago; 0…300, larger ones are 300. That opens nothing.
  public init(of keychain: OwnerKeychain, reuseSeconds: UInt32 = 0) {
    context = ApplicationContext(keychain.client)
    self.reuseSeconds = min(reuseSeconds, longestReuse)
  }

  public enum Means: Sendable {
    case finger
    case passcode
  }

  /// Asks the owner, unless an earlier proof suffices. If the task is cancelled, the prompt goes
  /// away.
  /// - Parameters:
  ///   - policy: what has to be proved.
  ///   - reason: what the owner permits, shown in the prompt; not empty.
  ///   - timeout: how long a touch is awaited.
  /// - Returns: what proved it.
  /// - Throws: ``Protocol/Failure`` with the code of what happened: `userCancel`,
  ///   `authenticationFailed`, `biometryLockout`, `notInteractive` and so on; `invalidReason` for
  ///   one without visible characters; `appCancel` if the task is cancelled; `invalidContext` after
  ///   ``invalidate()``.
  @discardableResult
  public func prove(
    _ policy: OwnerPolicy = .owner, reason: String, timeout: Duration = .seconds(30)
  ) async throws(Failure) -> Means {
    let (context, reuseSeconds) = (context, reuseSeconds)
    let prompting = Prompting(reason: reason, timeout: timeout)
    let cancellation = CancellationSignal()
    let evaluated = try await BlockingWork.run {
      context.cancel(cancellation)
    } _: { () throws(Failure) in
      try context.evaluate(
        policy.evaluated, prompting, reuseSeconds: reuseSeconds, cancellation: cancellation)
    }
    return evaluated.evidence == .passcode ? .passcode : .finger
  }

  /// Gives the password with which an item with ``Protocol/AccessControl/Additions/appPassword`` is
  /// sealed or opened. It counts as long as other proofs.
  /// - Parameter password: at most 1,024 bytes, in Unicode normalization form C if a person typed
  ///   it.
  /// - Throws: `errSecParam` for an empty one, `invalidContext` after ``invalidate()``.
  public func give(appPassword password: consuming SecretBytes) async throws(Failure) {
    let context = context
    let secret = SharedSecretBytes(password)
    try await BlockingWork.run { () throws(Failure) in
      try context.give(appPassword: secret.bytes.duplicate(), for: .opening)
    }
  }

  /// Forgets the proof, and ends a request that asks. Later requests that name it fail with
  /// `invalidContext`.
  public func invalidate() { context.invalidate() }
}

/// Carries out blocking requests for tasks, which must not block.
enum BlockingWork {
  /// Passes a result from a thread to the task that waits for it.
  private final class Outcome<Value: ~Copyable & Sendable>: Sendable {
    private let result = Mutex<Result<Value, Failure>?>(nil)

    func put(_ outcome: consuming sending Result<Value, Failure>) {
      var outcome = Optional(outcome)
      result.withLock { $0 = outcome.take() }
    }

    func take() throws(Failure) -> Value {
      guard let outcome = result.withLock({ $0.take() }) else {
        preconditionFailure("it is taken once, after it was put")
      }
      return try outcome.get()
    }
  }

  /// Runs `body` on a thread of its own. `cancel` is called if the task is cancelled meanwhile; any
  /// thread.
  static func run<Value: ~Copyable & Sendable>(
    onCancel cancel: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome = Outcome<Value>()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        SystemThread.start(name: "authcore request") {
          do throws(Failure) {
            outcome.put(.success(try body()))
          } catch {
            outcome.put(.failure(error))
          }
          continuation.resume()
        }
      }
    } onCancel: {
      cancel()
    }
    return try outcome.take()
  }
}

/// A secret that several threads may read; wiped with the last reference.
final class SharedSecretBytes: Sendable {
  let bytes: SecretBytes
  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
