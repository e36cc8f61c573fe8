import LinuxSystem
import Protocol

/// Tracks which requests have a prompt on view, and which one waits for a touch: one at a time, so
/// that a touch cannot answer another person's prompt.
///
/// A touch without a visible prompt (`--unattended`) gives way to every prompt, and so does one
/// that has been awaited for long: its terminal may be unattended. Times are nanoseconds. Any
/// thread.
final class TouchTurn: Sendable {
  private struct State: Sendable {
    var holder: RequestInbox?
    var isUnattended = false
    var since: UInt64 = 0
    /// Requests whose prompt a person sees.
    var prompting: Set<ObjectIdentifier> = []

    /// The request that gives way to `request`.
    func yielding(to request: RequestInbox, at now: UInt64) -> RequestInbox? {
      guard isUnattended || now >= since + TouchTurn.longestWait, holder !== request else {
        return nil
      }
      return holder
    }
  }

  private let state = Guarded(State())

  /// How long a request keeps others from waiting for a touch: enough to find the reader.
  static let longestWait: UInt64 = 120_000_000_000
  /// How long a request that gives way may take to release the reader.
  private static let yieldingNanoseconds: UInt64 = 10_000_000_000

  init() {}

  /// Lets a request wait for a touch until ``end(_:)``.
  /// - Throws: `busy` while another request waits for one, or, if it is `unattended`, while any
  ///   prompt is on view.
  func take(for request: RequestInbox, unattended: Bool, at now: UInt64) throws(Failure) {
    if !unattended { dismiss(for: request, at: now) }
    let isTaken = state.wait(nanoseconds: unattended ? 0 : Self.yieldingNanoseconds) {
      state -> Bool? in
      if let holder = state.holder, holder !== request {
        return state.yielding(to: request, at: now) == nil ? false : nil
      }
      if unattended, state.prompting.contains(where: { $0 != ObjectIdentifier(request) }) {
        return false
      }
      if state.holder == nil { state.since = now }
      state.holder = request
      state.isUnattended = unattended
      return true
    }
    guard isTaken == true else { throw Self.busy }
  }

  func prompt(_ request: RequestInbox, at now: UInt64) {
    state.update { _ = $0.prompting.insert(ObjectIdentifier(request)) }
    dismiss(for: request, at: now)
  }

  func end(_ request: RequestInbox) {
    state.update { state in
      state.prompting.remove(ObjectIdentifier(request))
      if state.holder === request { state.holder = nil }
    }
  }

  private func dismiss(for request: RequestInbox, at now: UInt64) {
    state.read { $0.yielding(to: request, at: now) }?.interrupt(
      Failure(
        .systemCancel, "somebody else is asked, and a touch could be meant for them",
        hint: "run the command again"))
  }

  private static let busy = Failure(
    .busy, "another request waits for a touch or shows a prompt",
    hint: "finish or cancel that one first")
}
