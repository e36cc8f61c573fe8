import Protocol

/// Does what the machine of a request says, on the request's thread: asks the policy, shows
/// prompts, opens sensors and sessions, waits.
final class MachineRunner {
  /// Makes the message that opens a session at the enclave.
  typealias Begin = (_ session: UInt64, _ channel: UInt32) throws(Failure) -> any WireMessage
  /// Hands the enclave a passcode. Throws `authenticationFailed` if it is wrong.
  typealias Verify = (SharedSecret) throws(Failure) -> Void

  private let call: Call
  private let prompter: any Prompter
  private let begin: Begin
  private let verify: Verify?
  private let giveAppPassword: Verify?
  private var sensor: RunningSensor?
  private var session: RequestTouches?
  /// Whether the client has answered the last prompt, if only that it is on view.
  private var isAnswered = true

  /// `begin` and `verify` say what the request's touches and passcodes are for. Without `verify` no
  /// passcode is right.
  init(
    _ call: Call, _ prompter: any Prompter, verify: Verify? = nil,
    giveAppPassword: Verify? = nil, begin: @escaping Begin
  ) {
    self.call = call
    self.prompter = prompter
    self.begin = begin
    self.verify = verify
    self.giveAppPassword = giveAppPassword
  }

  /// Runs a machine until it finishes. What it opened stays open until ``end()``.
  /// - Throws: what it fails with, or why the request is interrupted.
  func run(_ machine: inout some RequestMachine) throws(Failure) {
    var event = MachineEvent.begin
    var elapsed: UInt32 = 0
    // The state of the device, if the enclave told it with the last event.
    var status: EnclaveStatus?
    while true {
      let reaction = machine.handle(event, after: elapsed)
      for effect in reaction.effects { try perform(effect) }
      let start = call.core.clock.now()
      let told = status.take()
      switch reaction.next {
      case .finish: return
      case .fail(let failure): throw failure
      case .askPolicy(let moment): event = .advice(try call.policyStep(for: moment, told))
      case .wait(let milliseconds):
        event = try answer(within: milliseconds).map { .answer($0) } ?? .timePassed
      case .capture(let milliseconds): (event, status) = try capture(milliseconds)
      case .stopCapture: event = .stopped(session?.stop())
      case .verify(let passcode): event = .verified(isRight: try isRight(passcode))
      case .giveAppPassword(let password):
        try giveAppPassword?(password)
        event = .given
      }
      call.note(event)
      elapsed = UInt32(clamping: (call.core.clock.now() &- start) / 1_000_000)
    }
  }

  func end() {
    session?.end()
    session = nil
  }

  private func perform(_ effect: Reaction.Effect) throws(Failure) {
    switch effect {
    case .openSensor:
      try call.attend()
      try prompter.begin()
      sensor = try call.sensor(prompter.options.touch)
    case .openSession:
      try call.attend()
      try prompter.begin()
      _ = try openSession()
    case .closeSession: end()
    case .show(let content): try show(content)
    case .tell(let progress): try prompter.tell(progress)
    case .noteProof: call.core.noteProof()
    }
  }

  /// Opens the session of the touches unless it is open. With `isAwaiting` the enclave then expects
  /// a touch at once.
  func openSession(isAwaiting: Bool = false) throws(Failure) -> RequestTouches {
    if let session { return session }
    let sensor = if let sensor { sensor } else { try call.sensor(prompter.options.touch) }
    let opened = try RequestTouches(call, sensor: sensor, isAwaiting: isAwaiting, begin: begin)
    session = opened
    return opened
  }

  private func capture(_ milliseconds: UInt32) throws(Failure) -> (MachineEvent, EnclaveStatus?) {
    let session: RequestTouches
    do throws(Failure) {
      session = try openSession(isAwaiting: true)
    } catch  where error.code == .biometryLockout {
      return (.lockedOut(error), nil)
    }
    let prompter = prompter
    let result = try session.next(within: milliseconds) { () throws(Failure) in
      try prompter.tell(.awaitingTouch)
    }
    switch result {
    case .outcome(let outcome, let status): return (.outcome(outcome), status)
    case .answer(let answer): return (.answer(answer), nil)
    case .lost(let failure): return (.lost(failure), nil)
    }
  }

  private func isRight(_ passcode: SharedSecret) throws(Failure) -> Bool {
    guard let verify else { return false }
    do throws(Failure) {
      try call.judgingPasscode { () throws(Failure) in try verify(passcode) }
      return true
    } catch  where error.code == .authenticationFailed {
      return false
    }
  }

  /// Waits for an answer to the prompt.
  private func answer(within milliseconds: UInt32?) throws(Failure) -> RequestEvent? {
    let limit = prompter.showMilliseconds
    let isLimited = limit.map { !isAnswered && $0 < milliseconds ?? .max } ?? false
    let event = try call.inbox.next(
      within: isLimited ? limit : milliseconds ?? call.core.limits.answerMilliseconds)
    if event == nil, isLimited { throw prompter.giveUp() }
    if event == nil, milliseconds == nil {
      throw Failure(.timedOut, "nobody answered the prompt", hint: "run the command again")
    }
    isAnswered = true
    return event
  }

  private func show(_ content: PromptContent) throws(Failure) {
    try call.attend()
    try prompter.begin()
    isAnswered = false
    if prompter.options.touch == .person {
      call.core.touchTurn.prompt(call.inbox, at: call.core.clock.now())
    }
    try prompter.show(content)
  }
}
