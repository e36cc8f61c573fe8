import LinuxSystem
import Protocol
import Synchronization

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
  ///   - cancel: called where the task is cancelled meanwhile; any thread.
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
