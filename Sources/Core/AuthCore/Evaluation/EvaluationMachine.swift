import Protocol

/// Follows the policy's advice, step by step, until success or failure.
///
/// It decides nothing: the policy names the step; the enclave compares, verifies and keeps the
/// evidence. It accepts no success without having seen the proof.
struct EvaluationMachine: RequestMachine {
  enum Goal: Sendable {
    /// Ends when the policy says so.
    case authentication
    /// Ends after one touch was compared, whatever the result.
    case oneComparison
    /// Ends when the enclave has accepted the passcode and used it as asked.
    case passcodeTaken
  }

  struct Conclusion: Equatable, Sendable {
    var evidence = ProvedBy.nothing
    var finger: String?
    /// The score of the last touch that was compared, if the enclave tells it.
    var score: Double?
    /// The lowest score of a match.
    var threshold = 0.0
    var isMatch = false
    /// Whether the context held the proof before.
    var wasHeld = false
    /// Whether an application password was given, right or wrong.
    var gaveAppPassword = false
  }

  private enum Phase {
    case policy
    case touch(PromptFallback)
    /// The capture is being stopped because of what the person did.
    case stopping(RequestEvent)
    case passcode
    case verifying
    case appPassword
    case givingAppPassword
  }

  private let goal: Goal
  private let held: EvidenceSet
  private let mostSteps: Int
  private var steps = 0
  private var moment: PolicyMoment
  private var loop: TouchLoop
  private var phase = Phase.policy
  private var lockout: Failure?
  private(set) var conclusion = Conclusion()

  /// An evaluation that has not begun.
  /// - Parameters:
  ///   - moment: what is asked, and what the client allows.
  ///   - goal: when it ends.
  ///   - held: what the context holds already; replaces the first touch or passcode.
  ///   - milliseconds: the time for touches, and for a prompt to appear.
  ///   - limits: of the core.
  init(
    _ moment: PolicyMoment, goal: Goal = .authentication, held: EvidenceSet = [],
    milliseconds: UInt32, limits: CoreLimits
  ) {
    self.moment = moment
    self.goal = goal
    self.held = held
    mostSteps = limits.evaluationSteps
    loop = TouchLoop(
      .inAll(milliseconds: milliseconds), mostRetries: limits.retriesInARow,
      pause: limits.pause(moment.touch))
  }

  mutating func handle(_ event: MachineEvent, after milliseconds: UInt32) -> Reaction {
    switch (phase, event) {
    case (_, .begin): return askPolicy()
    case (.policy, .advice(let step)): return follow(step)
    case (.touch(let fallback), _): return touch(event, milliseconds, fallback)
    case (.stopping(let answer), .stopped(let outcome)): return stopped(outcome, for: answer)
    case (.passcode, .answer(let answer)), (.appPassword, .answer(let answer)):
      return typed(answer)
    case (.passcode, .timePassed), (.appPassword, .timePassed): return proceed(.timedOut)
    case (.verifying, .verified(let isRight)):
      return proceed(isRight ? .passcodeAccepted : .passcodeRefused)
    case (.givingAppPassword, .given): return proceed(.appPasswordGiven)
    case (.policy, _), (.stopping, _), (.passcode, _), (.verifying, _), (.appPassword, _),
      (.givingAppPassword, _):
      return fail(.coreFailed, "a request heard of something that it did not wait for")
    }
  }

  // MARK: The policy

  private mutating func askPolicy(_ effects: [Reaction.Effect] = []) -> Reaction {
    guard steps < mostSteps else {
      return fail(
        .engineFailed, "the policy engine comes to no decision",
        hint: "see authcore status for the engine that is in use", effects)
    }
    steps += 1
    phase = .policy
    return Reaction(effects: effects, next: .askPolicy(moment))
  }

  private mutating func follow(_ step: PolicyStep.Action) -> Reaction {
    switch step {
    case .succeed where isProved: return Reaction(next: .finish)
    case .succeed:
      return fail(
        .engineFailed, "the policy engine says yes to what nobody has proved",
        hint: "see authcore status for the engine that is in use")
    case .fail(let failure): return Reaction(next: .fail(failure))
    case .awaitTouch
    where isFirstStep && held.hasMatch(strict: moment.request.requiresStrictMatch):
      // An earlier proof is not fresh: the owner may have left.
      return proceed(.matched, isFresh: false)
    case .awaitTouch(.passcode) where isFirstStep && held.contains(.passcode),
      .awaitPasscode where isFirstStep && held.contains(.passcode):
      return proceed(.passcodeAccepted, isFresh: false)
    case .awaitTouch(let fallback):
      // The enclave compares no prints now; a policy that asks for one all the same gets that
      // answer.
      if let lockout { return Reaction(next: .fail(lockout)) }
      phase = .touch(fallback)
      let effects = loop.show(.touch(fallback: fallback, refused: moment.progress.refusedPasscodes))
      return finish(loop.resume([.openSensor] + effects))
    case .awaitPasscode:
      phase = .passcode
      let effects = loop.show(.passcode(refused: moment.progress.refusedPasscodes))
      return awaitTyping(effects)
    case .awaitAppPassword:
      phase = .appPassword
      let effects = loop.show(.appPassword(refused: moment.progress.refusedAppPasswords))
      return awaitTyping(effects)
    }
  }

  private var isFirstStep: Bool { moment.progress.lastEvent == .none }

  /// Whether the policy can be right that the goal is reached. The enclave itself judges what an
  /// item or the device's lock demands.
  private var isProved: Bool {
    switch (goal, moment.request) {
    case (.authentication, .biometrics): conclusion.evidence == .biometry
    case (.authentication, .owner), (.authentication, .passcodeOnly):
      conclusion.evidence != .nothing
    case (.authentication, .unlock), (.authentication, .access): true
    case (.oneComparison, _), (.passcodeTaken, _): false
    }
  }

  /// Notes what happened, and asks the policy for the next step unless the goal is reached.
  private mutating func proceed(
    _ event: CallProgress.Event, isFresh: Bool = true, _ effects: [Reaction.Effect] = []
  ) -> Reaction {
    moment.progress.lastEvent = event
    switch event {
    case .matched: prove(.biometry, .biometry, isFresh: isFresh)
    case .passcodeAccepted: prove(.passcode, .passcode, isFresh: isFresh)
    case .appPasswordGiven:
      conclusion.gaveAppPassword = true
      hold(.appPassword)
    case .missed: moment.progress.misses += 1
    case .passcodeRefused: moment.progress.refusedPasscodes += 1
    case .none, .cancelled, .fallbackChosen, .timedOut, .sensorLost, .noPasscode, .interrupted:
      break
    }
    let isProof = isFresh && (event == .matched || event == .passcodeAccepted)
    let effects = effects + (isProof ? [.noteProof] : [])
    let isReached =
      switch goal {
      case .authentication: false
      case .oneComparison: event == .matched || event == .missed
      case .passcodeTaken: event == .passcodeAccepted
      }
    return isReached ? Reaction(effects: effects, next: .finish) : askPolicy(effects)
  }

  private mutating func prove(_ evidence: EvidenceSet, _ by: ProvedBy, isFresh: Bool) {
    conclusion.evidence = by
    conclusion.wasHeld = !isFresh
    hold(evidence)
  }

  private mutating func hold(_ evidence: EvidenceSet) {
    if case .access(let control, let held) = moment.request {
      moment.request = .access(control, held: held.union(evidence))
    }
  }

  private func fail(
    _ code: FailureCode, _ message: String, hint: String? = nil,
    _ effects: [Reaction.Effect] = []
  ) -> Reaction {
    Reaction(effects: effects, next: .fail(Failure(code, message, hint: hint)))
  }

  // MARK: Touches

  private mutating func touch(
    _ event: MachineEvent, _ milliseconds: UInt32, _ fallback: PromptFallback
  ) -> Reaction {
    if case .lockedOut(let failure) = event {
      lockout = failure
      return proceed(.none)
    }
    switch loop.handle(event, after: milliseconds) {
    case .answer(.passcodeGiven) where fallback != .passcode:
      // A passcode counts only if the policy offers it.
      return finish(loop.resume())
    case .answer(let answer):
      phase = .stopping(answer)
      return Reaction(next: .stopCapture)
    case .outcome(let outcome): return take(outcome)
    case let step: return finish(step)
    }
  }

  /// Handles a step of the loop other than a touch that was compared.
  private mutating func finish(_ step: TouchLoop.Step) -> Reaction {
    switch step {
    case .goOn(let reaction): return reaction
    case .timedOut: return proceed(.timedOut, [.closeSession])
    case .lost(let failure): return lose(failure.message)
    case .exhausted: return lose("the sensor reads no touch")
    case .answer, .outcome:
      return fail(.coreFailed, "a request heard of something that it did not wait for")
    }
  }

  private mutating func take(_ outcome: TouchEvent.Outcome) -> Reaction {
    switch outcome {
    case .matched(let finger, let score, let threshold):
      record(isMatch: true, finger: finger, score: score, threshold: threshold)
      return proceed(.matched, [.closeSession, .tell(.matched(finger: finger))])
    case .missed(let score, let threshold, let misses, _, let addsUp):
      loop.noteUsable()
      record(isMatch: false, finger: nil, score: score, threshold: threshold)
      let most = CallProgress.mostMisses
      let left = min(
        most - min(most, moment.progress.misses + 1),
        TouchEvent.mostMissesInARow - min(TouchEvent.mostMissesInARow, misses))
      let advice: [Reaction.Effect] =
        addsUp && left > 0 ? [.tell(.refused(.differentPart))] : []
      return proceed(.missed, [.tell(.missed(left: left))] + advice)
    case .failed(let failure) where failure.code == .biometryLockout:
      lockout = failure
      return proceed(.none, [.closeSession])
    case .failed(let failure): return Reaction(next: .fail(failure))
    case .retry, .ended, .taken, .refused, .duplicate, .chip:
      return Reaction(
        next: .fail(
          EngineAnswer.unreadable("enclave", reason: "an event of an enrollment during a match")))
    }
  }

  private mutating func lose(_ message: String) -> Reaction {
    moment.isSensorLost = true
    let message = message.isEmpty ? "the sensor is gone" : message
    return proceed(.sensorLost, [.closeSession, .tell(.sensorLost(message: message))])
  }

  private mutating func record(isMatch: Bool, finger: String?, score: Double?, threshold: Double) {
    conclusion.isMatch = isMatch
    conclusion.threshold = threshold
    conclusion.finger = finger
    conclusion.score = score
  }

  // MARK: What the person does

  /// The capture has stopped because of `answer`. A comparison that came first counts.
  private mutating func stopped(
    _ outcome: TouchEvent.Outcome?, for answer: RequestEvent
  ) -> Reaction {
    var effects: [Reaction.Effect] = []
    var hasMatched = false
    switch outcome {
    case .matched(let finger, let score, let threshold):
      record(isMatch: true, finger: finger, score: score, threshold: threshold)
      hasMatched = true
      effects = [.closeSession]
    case .missed(let score, let threshold, _, _, _):
      record(isMatch: false, finger: nil, score: score, threshold: threshold)
      moment.progress.misses += 1
    case .ended, .failed, .duplicate: effects = [.closeSession]
    case .retry, .taken, .refused, .chip, nil: break
    }
    switch answer {
    case .cancelPressed: return proceed(.cancelled, effects)
    case .fallbackChosen: return proceed(.fallbackChosen, effects)
    case .passcodeGiven(let passcode):
      if hasMatched { return proceed(.matched, effects) }
      phase = .verifying
      return Reaction(effects: effects, next: .verify(passcode))
    case .shown, .noPasscode, .touch, .liftAwaited, .sensorEnded:
      return finish(loop.resume(effects))
    }
  }

  private func awaitTyping(_ effects: [Reaction.Effect] = []) -> Reaction {
    // A person may take their time, but the client must show the prompt in time.
    Reaction(
      effects: effects,
      next: .wait(milliseconds: loop.isShown ? nil : loop.showMilliseconds))
  }

  /// Handles an answer to a prompt for the passcode or an application password.
  private mutating func typed(_ answer: RequestEvent) -> Reaction {
    switch answer {
    case .shown:
      loop.noteShown()
      return awaitTyping()
    case .passcodeGiven(let password) where isAwaitingAppPassword:
      phase = .givingAppPassword
      return Reaction(next: .giveAppPassword(password))
    case .passcodeGiven(let passcode):
      phase = .verifying
      return Reaction(next: .verify(passcode))
    case .noPasscode: return proceed(.noPasscode)
    case .cancelPressed: return proceed(.cancelled)
    case .fallbackChosen: return proceed(.fallbackChosen)
    case .touch, .liftAwaited, .sensorEnded: return awaitTyping()
    }
  }

  private var isAwaitingAppPassword: Bool {
    if case .appPassword = phase { true } else { false }
  }
}
