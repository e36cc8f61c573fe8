import LinuxSystem
import Protocol
import Synchronization

/// Collects everything that a waiting request must hear of, in order.
///
/// Any thread posts; the thread that runs the request takes. An interruption (the client cancelled
/// or left, the enclave or the core ended) stays, and comes before everything else.
final class RequestInbox: Sendable {
  fileprivate struct State {
    var events: [RequestEvent] = []
    var prompt = AwaitedPrompt.none
    var pendingAnswers = 0
    var interruption: Failure?
    /// Why the prompt is no longer shown.
    var lostPrompter: Failure?
    /// Takes the answers in place of this inbox.
    var relay: Relay?
    var hearsNoTouches = false
    var wake: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  init() {}

  /// Adds an event that answers no prompt.
  func post(_ event: RequestEvent) { state.update { $0.events.append(event) } }

  /// Takes an answer to a prompt.
  /// - Returns: false if the answer makes no sense.
  typealias Relay = @Sendable (_ answer: RequestEvent, _ prompt: UInt32) -> Bool

  /// Passes answers to `relay` instead: an agent's answers belong to other requests than its own.
  func relayAnswers(to relay: @escaping Relay) { state.update { $0.relay = relay } }

  /// Adds an answer from the client whose request this is.
  /// - Returns: false if the client sent more answers than make sense.
  func post(_ answer: RequestEvent, toOwnPrompt prompt: UInt32, atMost limit: Int) -> Bool {
    if let relay = state.read({ $0.relay }) { return relay(answer, prompt) }
    return post(answer, to: .ofClient(prompt), atMost: limit)
  }

  /// Adds an answer to `prompt`, or ignores it if that prompt is over.
  /// - Returns: false if there are more answers than make sense.
  func post(_ answer: RequestEvent, to prompt: AwaitedPrompt, atMost limit: Int) -> Bool {
    state.update { state in
      guard prompt == state.prompt else { return true }
      guard state.pendingAnswers < limit else { return false }
      state.pendingAnswers += 1
      state.events.append(answer)
      return true
    }
  }

  /// Makes `prompt` the one whose answers count, and drops answers to the one before.
  func expectAnswers(to prompt: AwaitedPrompt) {
    state.update { state in
      state.prompt = prompt
      state.pendingAnswers = 0
      state.events.removeAll { $0.isAnswer }
    }
  }

  /// Ends the request the next time it waits. The first reason counts.
  func interrupt(_ reason: Failure) {
    let wake = state.update { state in
      state.interruption = state.interruption ?? reason
      return state.wake
    }
    wake?()
  }

  /// The prompt is no longer shown. The request hears of it once, the next time it waits.
  func losePrompter(_ reason: Failure) { state.update { $0.lostPrompter = reason } }

  /// Another prompter takes over.
  func forgetLostPrompter() { state.update { $0.lostPrompter = nil } }

  /// The enclave has ended: the request ends, and no touch will follow.
  func enclaveEnded(_ reason: Failure) {
    state.update { $0.hearsNoTouches = true }
    interrupt(reason)
  }

  /// Why the request has to end, or nil if it need not.
  var interruption: Failure? { state.read { $0.interruption } }

  /// Sets what is called when the request is interrupted while it waits elsewhere; nil if it only
  /// waits here.
  func onInterruption(_ wake: (@Sendable () -> Void)?) { state.update { $0.wake = wake } }

  /// The next event.
  /// - Parameter milliseconds: how long to wait; nil for no limit.
  /// - Returns: nil if that time has passed.
  /// - Throws: the reason of an interruption.
  func next(within milliseconds: UInt32? = nil) throws(Failure) -> RequestEvent? {
    guard let milliseconds else { return try state.wait { $0.takeNext() }.get() }
    return try next(withinNanoseconds: UInt64(milliseconds) * 1_000_000)
  }

  func next(withinNanoseconds nanoseconds: UInt64) throws(Failure) -> RequestEvent? {
    return try state.wait(nanoseconds: nanoseconds) { $0.takeNext() }?.get()
  }

  /// The outcome of the touch under way in `session`, or nil if it cannot come any more or does not
  /// in time. Other events stay, and an interruption is ignored.
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

  /// Why the driver's process ended, or nil if it does not within `nanoseconds`.
  func sensorEnd(within nanoseconds: UInt64) -> Failure? {
    state.wait(nanoseconds: nanoseconds) { state in
      let last = state.takeFirst { event in if case .sensorEnded = event { true } else { false } }
      guard case .sensorEnded(let failure) = last else { return nil }
      return failure
    }
  }
}

/// The prompt whose answers count, by who shows it and the number it was given.
enum AwaitedPrompt: Equatable, Sendable {
  case none
  /// Shown by the client of the request.
  case ofClient(UInt32)
  /// Shown by an agent.
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
  /// What a client's answer to a prompt says; `share` is the locked memory it lies in.
  init(_ answer: consuming PromptAnswer, _ share: SecretLedger.Share?) {
    switch answer.kind {
    case .shown: self = .shown
    case .cancel: self = .cancelPressed
    case .fallback: self = .fallbackChosen
    case .passcode, .harmlessPasscode:
      self = .passcodeGiven(
        SharedSecret(
          answer.passcode.shared(), asTyped: answer.asTyped.shared(),
          mayErase: answer.kind == .passcode, share))
    case .noPasscode: self = .noPasscode
    }
  }

  fileprivate var isAnswer: Bool {
    switch self {
    case .shown, .cancelPressed, .fallbackChosen, .passcodeGiven, .noPasscode: true
    case .touch, .sensorEnded, .liftAwaited: false
    }
  }
}

enum RequestEvent: Sendable {
  /// The prompt is on the screen.
  case shown
  case cancelPressed
  case fallbackChosen
  case passcodeGiven(SharedSecret)
  /// No passcode, or no other one, can be given.
  case noPasscode
  case touch(TouchEvent)
  /// The capture goes on when the finger has left the sensor.
  case liftAwaited
  /// The driver's process has ended.
  case sensorEnded(Failure)
}

/// A secret on its way from the client to an engine. The core never looks at it.
final class SharedSecret: Sendable {
  private let secret: Mutex<SecretBytes?>
  private let asTyped: Mutex<SecretBytes?>
  /// Whether a wrong passcode counts toward erasing everything.
  let mayErase: Bool
  /// The locked memory it lies in, if it does not belong to a request.
  private let share: SecretLedger.Share?

  /// Takes over the secret, and what a person typed if that differs.
  init(
    _ secret: consuming sending SecretBytes,
    asTyped: consuming sending SecretBytes = SecretBytes(count: 0), mayErase: Bool = true,
    _ share: SecretLedger.Share? = nil
  ) {
    self.mayErase = mayErase
    self.secret = Mutex(secret)
    self.asTyped = Mutex(asTyped)
    self.share = share
  }

  /// The secret, or empty if it was taken.
  func take() -> SecretBytes {
    let taken = secret.withLock { $0.take() }
    return taken ?? SecretBytes(count: 0)
  }

  /// What a person typed, if it differs from the secret; else, or if it was taken, empty.
  func takeTyped() -> SecretBytes {
    let taken = asTyped.withLock { $0.take() }
    return taken ?? SecretBytes(count: 0)
  }

  /// The same bytes, for a request that may have to be repeated; empty if the secret was taken.
  func shared() -> SecretBytes {
    secret.withLock { secret in
      switch secret {
      case .some(let secret): secret.shared()
      case .none: SecretBytes(count: 0)
      }
    }
  }
}
