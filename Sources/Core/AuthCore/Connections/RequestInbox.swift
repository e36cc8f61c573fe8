import LinuxSystem
import Protocol

/// Where everything arrives that a waiting request must hear of, in the order it happened.
///
/// Any thread posts; the thread that runs the request takes. An interruption (the client cancelled
/// or left, the enclave or the core ended) stays and comes before everything else.
final class RequestInbox: Sendable {
  fileprivate struct State {
    var events: [RequestEvent] = []
    var prompt = AwaitedPrompt.none
    var pendingAnswers = 0
    var interruption: Failure?
    /// Why nobody shows the prompt any more.
    var lostPrompter: Failure?
    /// What takes the answers in place of this inbox.
    var relay: Relay?
    var hearsNoTouches = false
    var wake: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  /// An empty inbox without a prompt.
  init() {}

  /// Adds something that is no answer to a prompt.
  func post(_ event: RequestEvent) {
    state.update { $0.events.append(event) }
  }

  /// Takes an answer to the prompt of a number.
  /// - Returns: false for one that makes no sense.
  typealias Relay = @Sendable (_ answer: RequestEvent, _ prompt: UInt32) -> Bool

  /// From here on answers go there: those of an agent belong to another request than its own.
  func relayAnswers(to relay: @escaping Relay) { state.update { $0.relay = relay } }

  /// Adds an answer from the client whose request this is.
  /// - Returns: false when it has sent more answers than make sense.
  func post(_ answer: RequestEvent, toOwnPrompt prompt: UInt32, atMost limit: Int) -> Bool {
    if let relay = state.read({ $0.relay }) { return relay(answer, prompt) }
    return post(answer, to: .ofClient(prompt), atMost: limit)
  }

  /// Adds an answer to `prompt`; ignored when that prompt is over.
  /// - Returns: false when more answers came than make sense.
  func post(_ answer: RequestEvent, to prompt: AwaitedPrompt, atMost limit: Int) -> Bool {
    state.update { state in
      guard prompt == state.prompt else { return true }
      guard state.pendingAnswers < limit else { return false }
      state.pendingAnswers += 1
      state.events.append(answer)
      return true
    }
  }

  /// From here answers to `prompt` count; those to the one before are dropped.
  func expectAnswers(to prompt: AwaitedPrompt) {
    state.update { state in
      state.prompt = prompt
      state.pendingAnswers = 0
      state.events.removeAll { $0.isAnswer }
    }
  }

  /// Ends the request the next time it waits; the first reason stays.
  func interrupt(_ reason: Failure) {
    let wake = state.update { state in
      state.interruption = state.interruption ?? reason
      return state.wake
    }
    wake?()
  }

  /// Nobody shows the prompt any more: the request hears of it once, the next time it waits.
  func losePrompter(_ reason: Failure) { state.update { $0.lostPrompter = reason } }

  /// Somebody else is about to prompt.
  func forgetLostPrompter() { state.update { $0.lostPrompter = nil } }

  /// The enclave has ended: the request ends, and no touch will be heard of any more.
  func enclaveEnded(_ reason: Failure) {
    state.update { $0.hearsNoTouches = true }
    interrupt(reason)
  }

  /// Why the request has to end; nil: it need not.
  var interruption: Failure? { state.read { $0.interruption } }

  /// Calls `wake` when the request is interrupted while it waits elsewhere; nil: it waits here
  /// only.
  func onInterruption(_ wake: (@Sendable () -> Void)?) { state.update { $0.wake = wake } }

  /// The next thing that happened.
  /// - Parameter milliseconds: how long to wait; nil: for ever.
  /// - Returns: nil when that time has passed.
  /// - Throws: the reason of an interruption.
  func next(within milliseconds: UInt32? = nil) throws(Failure) -> RequestEvent? {
    guard let milliseconds else {
      return try state.wait { $0.takeNext() }.get()
    }
    return try next(withinNanoseconds: UInt64(milliseconds) * 1_000_000)
  }

  /// The same in nanoseconds.
  func next(withinNanoseconds nanoseconds: UInt64) throws(Failure) -> RequestEvent? {
    return try state.wait(nanoseconds: nanoseconds) { $0.takeNext() }?.get()
  }

  /// What came of the touch under way in `session`; nil when that is not to be heard any more, or
  /// not in time. Everything else stays, and no interruption hinders.
  func nextTouch(of session: UInt64, within nanoseconds: UInt64) -> TouchEvent.Outcome? {
    let last = state.wait(nanoseconds: nanoseconds) { state -> TouchEvent.Outcome?? in
      let last = state.takeFirst { event in
        switch event {
        case .touch(let event): event.session == session
        case .sensorEnded: true
        default: false
        }
      }
      if case .touch(let event) = last { return .some(event.outcome) }
      return last != nil || state.hearsNoTouches ? .some(nil) : nil
    }
    return last ?? nil
  }

  /// Why the driver's process has ended; nil when it does not within `nanoseconds`.
  func sensorEnd(within nanoseconds: UInt64) -> Failure? {
    state.wait(nanoseconds: nanoseconds) { state in
      let last = state.takeFirst { event in
        if case .sensorEnded = event { true } else { false }
      }
      guard case .sensorEnded(let failure) = last else { return nil }
      return failure
    }
  }
}

/// A prompt whose answers count, by who shows it.
enum AwaitedPrompt: Equatable, Sendable {
  case none
  /// The client of the request; by the number that it was given.
  case ofClient(UInt32)
  /// An agent; by the number that it was given.
  case ofAgent(UInt32)
}

extension RequestInbox.State {
  fileprivate mutating func takeNext() -> Result<RequestEvent, Failure>? {
    if let interruption { return .failure(interruption) }
    if let lost = lostPrompter.take() { return .failure(lost) }
    return takeFirst { _ in true }.map { .success($0) }
  }

  fileprivate mutating func takeFirst(where matches: (RequestEvent) -> Bool) -> RequestEvent? {
    guard let index = events.firstIndex(where: matches) else { return nil }
    let event = events.remove(at: index)
    if event.isAnswer { pendingAnswers -= 1 }
    return event
  }
}

extension RequestEvent {
  /// Whether it answers a prompt.
  fileprivate var isAnswer: Bool {
    switch self {
    case .shown, .cancelPressed, .fallbackChosen, .passcodeGiven, .noPasscode: true
    case .touch, .sensorEnded: false
    }
  }
}
