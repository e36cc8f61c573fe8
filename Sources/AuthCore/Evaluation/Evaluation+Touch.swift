import AuthcoreABI
import ClientProtocol
import EngineKit
import Wire

extension Evaluation {
  /// Prompts for a touch and waits until something came of it: a comparison, another answer, the end of the time or of the sensor.
  mutating func awaitTouch(
    _ fallback: PolicyStep.Fallback
  ) throws(Failure) -> CallProgress.Event {
    // The enclave has said that no print is compared; a policy that asks for one all the same is answered with that.
    if let lockout { throw lockout }
    let sensor = try call.sensors.sensor(for: call.enclave)
    try board.askForTouch(fallback: fallback, refusedPasscodes: progress.refusedPasscodes)
    while !board.isShown {
      let start = call.core.clock.now()
      guard let occurrence = try call.inbox.next(within: remainingMilliseconds) else {
        return .timedOut
      }
      spendTime(since: start)
      if let event = try answer(occurrence, fallback) { return event }
    }
    while true {
      guard remainingMilliseconds > 0 else { return .timedOut }
      guard let session = try openSession(sensor) else { return .none }
      if let event = try wait(session, fallback) { return event }
    }
  }

  /// Waits for one happening; nil: nothing that the policy has to hear of.
  private mutating func wait(
    _ session: TouchSession, _ fallback: PolicyStep.Fallback
  ) throws(Failure) -> CallProgress.Event? {
    let start = call.core.clock.now()
    let call = call
    let happening = try session.next(within: remainingMilliseconds) { () throws(Failure) in
      try call.send(Progress(.awaitingTouch))
    }
    spendTime(since: start)
    switch happening {
    case .outcome(let outcome): return try take(outcome)
    case .answer(let occurrence): return try answer(occurrence, fallback)
    case .lost(let failure): return try lose(failure.message)
    }
  }

  private mutating func spendTime(since start: UInt64) {
    let elapsed = (call.core.clock.now() &- start) / 1_000_000
    remainingMilliseconds -= UInt32(min(UInt64(remainingMilliseconds), elapsed))
  }

  /// The session of this evaluation; nil when the enclave refuses because of lockout.
  private mutating func openSession(_ sensor: RunningSensor) throws(Failure) -> TouchSession? {
    if let session { return session }
    let (enclave, context, isStrict) = (call.enclave, context, requiresStrictMatch)
    do throws(Failure) {
      let opened = try TouchSession(call, sensor: sensor) { (session, channel) throws(Failure) in
        try enclave.tell(
          BeginMatch(
            session: session, channel: channel, context: context, requiresStrictMatch: isStrict))
      }
      session = opened
      return opened
    } catch  where error.code == .biometryLockout {
      lockout = error
      return nil
    }
  }

  private mutating func closeSession() {
    session?.end()
    session = nil
  }

  /// Stops a capture under way; a comparison that was quicker counts.
  /// - Returns: `matched` when the match was quicker.
  @discardableResult
  mutating func pauseSession() -> CallProgress.Event? {
    guard let outcome = session?.stop() else { return nil }
    switch outcome {
    case .matched(let finger, let score, let threshold):
      record(isMatch: true, finger: finger, score: score, threshold: threshold)
      closeSession()
      return .matched
    case .missed(let score, let threshold, _, _):
      record(isMatch: false, finger: nil, score: score, threshold: threshold)
      progress.misses += 1
    case .ended, .failed, .duplicate: closeSession()
    case .retry, .taken, .refused: break
    }
    return nil
  }

  private mutating func record(
    isMatch: Bool, finger: String?, score: Double, threshold: Double
  ) {
    conclusion.threshold = threshold
    conclusion.isMatch = isMatch
    conclusion.finger = finger
    conclusion.score = score
  }

  /// What the client answered while a touch is awaited; nil: the capture goes on.
  private mutating func answer(
    _ occurrence: Occurrence, _ fallback: PolicyStep.Fallback
  ) throws(Failure) -> CallProgress.Event? {
    switch occurrence {
    case .shown, .noPasscode:
      board.markShown()
      return nil
    case .cancelPressed:
      pauseSession()
      return .cancelled
    case .fallbackChosen:
      pauseSession()
      return .fallbackChosen
    case .passcodeGiven(let passcode):
      // Where the policy offers no passcode none is taken.
      guard fallback == .passcode else { return nil }
      if let event = pauseSession() { return event }
      return try submit(passcode)
    case .touch, .sensorEnded: return nil
    }
  }

  /// What came of a touch; nil: the next one is awaited.
  private mutating func take(
    _ outcome: TouchEvent.Outcome
  ) throws(Failure) -> CallProgress.Event? {
    switch outcome {
    case .matched(let finger, let score, let threshold):
      record(isMatch: true, finger: finger, score: score, threshold: threshold)
      closeSession()
      try call.send(Progress(.matched(finger: finger)))
      return .matched
    case .missed(let score, let threshold, _, _):
      retriesInARow = 0
      record(isMatch: false, finger: nil, score: score, threshold: threshold)
      let left = Self.missesInACall - min(Self.missesInACall, progress.misses + 1)
      try call.send(Progress(.missed(left: left)))
      return .missed
    case .retry(let reason):
      try call.send(Progress(.retry(reason: reason)))
      return try countRetry()
    case .ended(let status, let message):
      closeSession()
      switch Int(status) {
      case AC_ERR_TIMEOUT: return .timedOut
      // An interruption meant for the capture before: the person is still there.
      case AC_ERR_INTERRUPTED: return try countRetry()
      default: return try lose(message)
      }
    case .failed(let failure):
      closeSession()
      guard failure.code == .biometryLockout else { throw failure }
      lockout = failure
      return CallProgress.Event.none
    case .taken, .refused, .duplicate:
      throw EngineAnswer.unreadable("enclave", reason: "an event of an enrolment during a match")
    }
  }

  /// Misses that end one request (CLI.md, "Misses"); shown to the person only, the policy decides.
  private static var missesInACall: UInt32 { 3 }

  private mutating func countRetry() throws(Failure) -> CallProgress.Event? {
    retriesInARow += 1
    guard retriesInARow >= call.core.limits.retriesInARow else { return nil }
    return try lose("the sensor reads no touch")
  }

  private mutating func lose(_ message: String) throws(Failure) -> CallProgress.Event {
    closeSession()
    isSensorLost = true
    try call.send(
      Progress(.sensorLost(message: message.isEmpty ? "the sensor is gone" : message)))
    return .sensorLost
  }
}
