import Foundation
import LocalAuthentication
import Synchronization

/// Takes the replies of evaluations, and notices when there are more than were asked for.
final class Replies: Sendable {
  private struct State: Sendable {
    /// nil: it succeeded.
    var codes: [LAError.Code?] = []
    var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  /// How many there were.
  var count: Int { state.withLock { $0.codes.count } }

  /// The reply of one evaluation. What succeeds has no error, and what fails has an LAError.
  var take: @Sendable (Bool, (any Error)?) -> Void {
    { [self] isSuccess, error in
      let code = isSuccess && error == nil ? nil : (error as? LAError)?.code ?? .invalidDimensions
      let waiter = state.withLock { state in
        state.codes.append(code)
        guard let waiter = state.waiter, state.codes.count >= waiter.count else {
          return CheckedContinuation<Void, Never>?.none
        }
        state.waiter = nil
        return waiter.continuation
      }
      waiter?.resume()
    }
  }

  /// Waits for so many replies.
  /// - Returns: what they said, in their order; more than were waited for where more came.
  func codes(_ count: Int) async -> [LAError.Code?] {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.codes.count >= count { return true }
        state.waiter = (count, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
    return state.withLock { $0.codes }
  }
}
