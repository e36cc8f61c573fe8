import LinuxSystem
import Protocol

/// Who of a core's requests has a prompt on view, and who of them waits for a touch of a reader:
/// one at a time, so that nobody's touch answers what somebody else was asked.
///
/// A touch that nobody sees a prompt for (`--unattended`) gives way to every prompt, and so does one
/// that has been awaited for long: nothing tells whether a person looks at its terminal. Times are
/// nanoseconds. Any thread.
final class TouchTurn: Sendable {
  private struct State: Sendable {
    /// The request whose touch is awaited.
    var holder: RequestInbox?
    var isUnattended = false
    /// When it began to wait.
    var since: UInt64 = 0
    /// Requests whose prompt somebody sees.
    var prompting: Set<ObjectIdentifier> = []

    /// The request that gives way to another one.
    func yielding(to request: RequestInbox, at now: UInt64) -> RequestInbox? {
      guard isUnattended || now >= since + TouchTurn.longestWait, holder !== request else {
        return nil
      }
      return holder
    }
  }

  private let state = Guarded(State())

  /// How long a request keeps others from waiting for a touch: long enough to find the reader.
  static let longestWait: UInt64 = 120_000_000_000
  /// How long a request that gives way may take to let go of the reader.
  private static let yieldingNanoseconds: UInt64 = 10_000_000_000

  /// Nobody waits.
  init() {}

  /// Lets a request wait for a touch until ``end(_:)``.
  /// - Throws: `busy` while another request waits for one, or, for one that is `unattended`, while
  ///   anybody is asked for anything.
  func take(
    for request: RequestInbox, unattended: Bool, at now: UInt64
  ) throws(Failure) {
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

  /// A request shows a prompt to a person.
  func prompt(_ request: RequestInbox, at now: UInt64) {
    state.update { _ = $0.prompting.insert(ObjectIdentifier(request)) }
    dismiss(for: request, at: now)
  }

  /// The request is over.
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
