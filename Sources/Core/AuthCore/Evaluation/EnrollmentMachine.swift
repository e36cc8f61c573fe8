import Protocol

/// Takes the touches of a finger that is enrolled, once its context holds the passcode's evidence.
///
/// Finishes when there are enough, or when no more touches come. The enclave decides whether they
/// suffice.
struct EnrollmentMachine: RequestMachine {
  /// Touches, used or not, after which an enrollment without full coverage is committed.
  static let mostTouches = 60

  /// How many usable touches are wanted; 0 for full coverage.
  private let wanted: UInt32
  private var loop: TouchLoop
  private var touches = 0

  /// An enrollment that has not begun.
  /// - Parameters:
  ///   - wanted: how many usable touches are wanted; 0 for full coverage.
  ///   - milliseconds: the time for each touch, and for the prompt to appear.
  ///   - mostRetries: unusable touches in a row, after which none is awaited.
  ///   - pause: how long the prompt is on view before a touch is taken, in milliseconds.
  init(wanted: UInt32, milliseconds: UInt32, mostRetries: Int, pause: UInt32 = 0) {
    self.wanted = wanted
    loop = TouchLoop(.each(milliseconds: milliseconds), mostRetries: mostRetries, pause: pause)
  }

  mutating func handle(_ event: MachineEvent, after milliseconds: UInt32) -> Reaction {
    if case .begin = event {
      // Before the prompt: if the enclave refuses, no person need be asked.
      let effects = [.openSession] + loop.show(.touch(fallback: .hidden, refused: 0))
      return finish(loop.resume(effects))
    }
    if case .outcome = event { touches += 1 }
    return finish(loop.handle(event, after: milliseconds))
  }

  private mutating func finish(_ step: TouchLoop.Step) -> Reaction {
    switch step {
    case .goOn(let reaction):
      return touches < Self.mostTouches
        ? reaction : Reaction(effects: reaction.effects, next: .finish)
    case .answer(let answer): return take(answer)
    case .outcome(let outcome): return take(outcome)
    case .timedOut where !loop.isShown:
      return Reaction(next: .fail(Failure(.timedOut, "the prompt was not shown in time")))
    case .timedOut, .exhausted: return Reaction(next: .finish)
    case .lost(let failure): return Reaction(next: .fail(failure))
    }
  }

  private mutating func take(_ answer: RequestEvent) -> Reaction {
    switch answer {
    case .cancelPressed:
      return Reaction(
        next: .fail(Failure(.userCancel, "the enrollment was cancelled; nothing was kept")))
    case .fallbackChosen:
      return Reaction(
        next: .fail(Failure(.userFallback, "an enrollment needs touches; there is no fallback")))
    case .passcodeGiven, .shown, .noPasscode, .touch, .liftAwaited, .sensorEnded:
      return finish(loop.resume())
    }
  }

  private mutating func take(_ outcome: TouchEvent.Outcome) -> Reaction {
    switch outcome {
    case .taken(let touch):
      loop.noteUsable()
      let progress = Progress.Event.taken(touch)
      let isEnough = wanted == 0 ? touch.isComplete : touch.touches >= wanted
      return isEnough
        ? Reaction(effects: [.tell(progress)], next: .finish)
        : finish(loop.resume([.tell(progress)]))
    case .refused(let advice):
      let effects = [Reaction.Effect.tell(.refused(advice))]
      let step = loop.retry(effects)
      if case .exhausted = step { return Reaction(effects: effects, next: .finish) }
      return finish(step)
    case .duplicate(let finger):
      return Reaction(
        next: .fail(
          Failure(
            .duplicateFinger, "this finger is enrolled already, as \(finger)",
            hint: "touch the sensor with another finger")))
    case .failed(let failure): return Reaction(next: .fail(failure))
    case .matched, .missed, .retry, .ended, .chip:
      return Reaction(
        next: .fail(
          EngineAnswer.unreadable("enclave", reason: "an event of a match during an enrollment")))
    }
  }
}
