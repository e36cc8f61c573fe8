import CoreClient
import Dispatch
import Protocol
import Synchronization

/// A request of an application to a context. It is answered exactly once, whatever happens to the
/// context, the core or the application. Any thread.
final class Evaluation: Sendable {
  /// Receives success, or the error.
  typealias Reply = @Sendable (Bool, (any Error)?) -> Void

  private enum Phase {
    case waiting(Reply)
    case underWay(Reply)
    case over
  }

  /// Ends the request when it is under way.
  let cancellation = CancellationSignal()
  private let phase: Mutex<Phase>

  init(_ reply: @escaping Reply) { phase = Mutex(.waiting(reply)) }

  /// Begins the request.
  /// - Returns: false if it was answered already.
  func begin() -> Bool {
    phase.withLock { phase in
      guard case .waiting(let reply) = phase else { return false }
      phase = .underWay(reply)
      return true
    }
  }

  /// Answers it, unless that was done already.
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

  /// Answers it if it has not begun.
  func endIfWaiting(_ failure: Failure) {
    let isWaiting = phase.withLock { phase in
      if case .waiting = phase { true } else { false }
    }
    // If it begins in between, it finds itself cancelled.
    if isWaiting { end(failure) }
  }

  /// Each reply runs on a queue of its own, so that a blocking one does not delay others.
  private static func answer(_ reply: @escaping Reply, _ failure: Failure?) {
    let error = failure.map { LAError($0)._nsError }
    DispatchQueue(label: "LocalAuthentication.reply").async { reply(error == nil, error) }
  }
}

/// Lets a task that waits for an evaluation end it by being cancelled.
///
/// The asynchronous form of a method calls the other form, which a subclass may override. The
/// evaluation that this begins is found here.
final class EvaluationTicket: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var cancel: (@Sendable () -> Void)?
  }

  /// The ticket of the call under way in this task.
  @TaskLocal static var current: EvaluationTicket?

  private let state = Mutex(State())

  /// Sets how to end it, which is done at once if the task is cancelled already.
  func onCancellation(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.cancel = cancel
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = true
      return state.cancel
    }
    cancel?()
  }

  /// Calls a method with a reply, and waits for that.
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
