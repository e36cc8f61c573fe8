import CoreClient
import LinuxSystem
public import Protocol
import Synchronization

/// What has to be proved.
public enum OwnerPolicy: Sendable {
  /// That the owner is there: a finger, or the passcode.
  case owner
  /// That a finger of the owner's is there; the passcode will not do.
  case biometrics

  var evaluated: EvaluatedPolicy {
    switch self {
    case .owner: .owner
    case .biometrics: .biometrics
    }
  }
}

/// A proof of the owner's presence, which the enclave keeps, for as many requests as name it.
///
/// A proof counts for five minutes at most, and not beyond a lock of the device or a change of its
/// passcode or fingers; then the next request asks again. Any thread and any task; requests that
/// name one proof run one after another.
public final class OwnerProof: Sendable {
  let context: ApplicationContext

  /// Nothing is proved yet: the first request that names it asks.
  /// - Parameters:
  ///   - keychain: whose owner is meant.
  ///   - reuseSeconds: an unlock of the device by touch at most this many seconds ago counts as a
  ///     touch; 0…300, larger ones are 300.
  public init(of keychain: OwnerKeychain, reuseSeconds: UInt32 = 0) {
    context = ApplicationContext(keychain.client, reuseSeconds: min(reuseSeconds, longestReuse))
  }

  /// What proved it.
  public enum Means: Sendable {
    case finger
    case passcode
  }

  /// Asks the owner, unless what was proved before suffices. Where the task is cancelled the prompt
  /// goes away.
  /// - Parameters:
  ///   - policy: what has to be proved.
  ///   - reason: what the owner permits, shown in the prompt; not empty.
  ///   - timeout: how long a touch is awaited.
  /// - Returns: what proved it.
  /// - Throws: ``Protocol/Failure`` with the code of what happened: `userCancel`, `authenticationFailed`,
  ///   `biometryLockout`, `notInteractive` and so on; `invalidReason` for one without visible characters; `appCancel`
  ///   if the task is cancelled; `invalidContext` after ``invalidate()``.
  @discardableResult
  public func prove(
    _ policy: OwnerPolicy = .owner, reason: String, timeout: Duration = .seconds(30)
  ) async throws(Failure) -> Means {
    let (context, prompting) = (context, Prompting(reason: reason, timeout: timeout))
    let cancellation = CancellationSignal()
    let evaluated = try await BlockingWork.run {
      context.cancel(cancellation)
    } _: { () throws(Failure) in
      try context.evaluate(policy.evaluated, prompting, cancellation: cancellation)
    }
    return evaluated.evidence == .passcode ? .passcode : .finger
  }

  /// Gives the password that an item with ``Protocol/AccessControl/Additions/appPassword`` is sealed or
  /// opened with. It counts as long as other proofs.
  /// - Parameter password: at most 1,024 bytes, in Unicode normalization form C if a person
  ///   typed it.
  /// - Throws: `errSecParam` for an empty one, `invalidContext` after ``invalidate()``.
  public func give(appPassword password: consuming SecretBytes) async throws(Failure) {
    let context = context
    let secret = SharedSecretBytes(password)
    try await BlockingWork.run { () throws(Failure) in
      try context.give(appPassword: secret.bytes.duplicate(), for: .opening)
    }
  }

  /// Forgets what was proved, and ends a request that asks. Later requests that name this proof fail
  /// with `invalidContext`.
  public func invalidate() { context.invalidate() }
}

/// Carries out requests, which block until they are answered, for tasks, which must not.
enum BlockingWork {
  /// What a thread hands to the task that waits for it.
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

  /// Runs `body` on a thread of its own and gives what it gave.
  /// - Parameters:
  ///   - cancel: called if the task is cancelled meanwhile; any thread.
  ///   - body: the request.
  /// - Returns: what `body` gave.
  /// - Throws: what `body` threw.
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

/// A secret that several threads may read; wiped when the last one lets go of it.
final class SharedSecretBytes: Sendable {
  let bytes: SecretBytes
  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
