import CoreClient
import Dispatch
import Protocol
import Synchronization

/// One thing that an application has asked a context for, and will be told about exactly once,
/// whatever becomes of the context, of the core or of who asked. Any thread.
final class Evaluation: Sendable {
  /// Where the answer goes; success, or why not.
  typealias Reply = @Sendable (Bool, (any Error)?) -> Void

  private enum Phase {
    case waiting(Reply)
    case underWay(Reply)
    case over
  }

  /// Ends it when it is under way.
  let cancellation = CancellationSignal()
  private let phase: Mutex<Phase>

  /// One whose turn has not come.
  init(_ reply: @escaping Reply) { phase = Mutex(.waiting(reply)) }

  /// Its turn has come.
  /// - Returns: whether anybody still waits for it.
  func begin() -> Bool {
    phase.withLock { phase in
      guard case .waiting(let reply) = phase else { return false }
      phase = .underWay(reply)
      return true
    }
  }

  /// Answers it: `failure` says why not. Once it is answered, nothing happens.
  func end(_ failure: Failure?) {
    let reply = phase.withLock { phase in
      defer { phase = .over }
      return switch phase {
      case .waiting(let reply), .underWay(let reply): reply
      case .over: Reply?.none
      }
    }
    if let reply { Self.answer(reply, failure) }
  }

  /// Answers it, if its turn has not come.
  func endIfWaiting(_ failure: Failure) {
    let isWaiting = phase.withLock { phase in
      if case .waiting = phase { true } else { false }
    }
    // Who begins it in between finds it cancelled.
    if isWaiting { end(failure) }
  }

  /// Replies run on a queue of their own each: one that blocks, until another one has run for
  /// example, keeps nobody waiting.
  private static func answer(_ reply: @escaping Reply, _ failure: Failure?) {
    let error = failure.map { LAError($0)._nsError }
    DispatchQueue(label: "LocalAuthentication.reply").async { reply(error == nil, error) }
  }
}

/// How a task that waits for an evaluation ends it by being cancelled.
///
/// The task's form of a method calls the other form, which a subclass may have overridden; what that
/// begins is found here.
final class EvaluationTicket: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var cancel: (@Sendable () -> Void)?
  }

  /// That of the call under way in this task.
  @TaskLocal static var current: EvaluationTicket?

  private let state = Mutex(State())

  /// Says how to end it; at once if the task is cancelled already.
  func onCancellation(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.cancel = cancel
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  /// The task is cancelled.
  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = true
      return state.cancel
    }
    cancel?()
  }

  /// Has a method with a reply called, and waits for that.
  /// - Returns: what it was answered with.
  /// - Throws: the error it was answered with.
  nonisolated(nonsending) static func awaitReply(
    of begin: (@escaping Evaluation.Reply) -> Void
  ) async throws -> Bool {
    let ticket = EvaluationTicket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        $current.withValue(ticket) {
          begin { isSuccess, error in
            if let error {
              continuation.resume(throwing: error)
            } else {
              continuation.resume(returning: isSuccess)
            }
          }
        }
      }
    } onCancel: {
      ticket.cancel()
    }
  }
}
