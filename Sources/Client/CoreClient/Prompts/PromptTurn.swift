import LinuxSystem
import Protocol

/// Lets one thread of the process prompt at a time: a person answers one question after another.
final class PromptTurn: Sendable {
  private let isTaken = Guarded(false)

  /// Waits until no other thread prompts.
  /// - Throws: `appCancel` where it is cancelled meanwhile.
  func take<Reply: ~Copyable>(
    _ cancellation: CancellationSignal?, _ body: () throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let isMine: Bool = isTaken.wait { isTaken in
      if cancellation?.isCancelled == true { return false }
      guard !isTaken else { return nil }
      isTaken = true
      return true
    }
    guard isMine else { throw .requestCancelled }
    defer { isTaken.update { $0 = false } }
    return try body()
  }

  /// Cancels a request that may be waiting for its turn.
  func cancel(_ cancellation: CancellationSignal) {
    cancellation.cancel()
    isTaken.update { _ in }
  }
}
