import AuthcoreABI
import Protocol
import Testing

@testable import AuthCore

@Suite("Evaluation as a machine")
struct EvaluationMachineTests {
  private func machine(
    _ request: PolicyRequest = .owner, goal: EvaluationMachine.Goal = .authentication,
    held: EvidenceSet = [], _ change: (inout CoreLimits) -> Void = { _ in }
  ) -> EvaluationMachine {
    var limits = CoreLimits()
    limits.promptMilliseconds = 0
    change(&limits)
    return EvaluationMachine(
      PolicyMoment(request: request), goal: goal, held: held, milliseconds: 1000, limits: limits)
  }

  /// One that has a prompt for a touch on the screen.
  private func touching(
    _ fallback: PromptFallback = .passcode, _ request: PolicyRequest = .owner,
    goal: EvaluationMachine.Goal = .authentication, _ change: (inout CoreLimits) -> Void = { _ in }
  ) -> EvaluationMachine {
    var machine = machine(request, goal: goal, change)
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitTouch(fallback: fallback)))
    _ = machine.words(.answer(.shown))
    return machine
  }

  @Test("the policy is asked first; a touch waits for the sensor, then for the prompt")
  func order() {
    var machine = machine()
    #expect(machine.words(.begin) == ["ask after none"])
    #expect(
      machine.words(.advice(.awaitTouch(fallback: .passcode)))
        == ["open sensor", "show touch", "wait 1000"])
    #expect(machine.words(.answer(.shown), after: 100) == ["capture 900"])
    #expect(
      machine.words(.match, after: 100) == [
        "close session", "tell matched(finger: \"thumb\")", "proof", "ask after matched",
      ])
    #expect(machine.words(.advice(.succeed)) == ["finish"])
    #expect(machine.conclusion.evidence == .biometry && machine.conclusion.finger == "thumb")
    #expect(machine.conclusion.isMatch && machine.conclusion.score == 20)
  }

  @Test("a finger that has to leave the sensor is said under the prompt, and the capture goes on")
  func lift() {
    var machine = machine()
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitTouch(fallback: .passcode)))
    #expect(machine.words(.answer(.liftAwaited), after: 100) == ["wait 900"])
    _ = machine.words(.answer(.shown), after: 100)
    #expect(
      machine.words(.answer(.liftAwaited), after: 100)
        == ["tell retry(reason: 8)", "capture 700"])
  }

  @Test("another prompt waits to be shown anew before anything is captured")
  func nextPrompt() {
    var machine = touching(.passcode)
    _ = machine.words(.miss)
    #expect(
      machine.words(.advice(.awaitTouch(fallback: .hidden)))
        == ["open sensor", "show touch", "wait 1000"])
    _ = machine.words(.answer(.shown))
    _ = machine.words(.miss)
    #expect(machine.words(.advice(.awaitPasscode)) == ["show passcode", "wait 1000"])
    _ = machine.words(.answer(.shown))
    _ = machine.words(.answer(.fallbackChosen))
    #expect(machine.words(.advice(.awaitTouch(fallback: .hidden))).last == "wait 1000")
  }

  @Test("the time is one for the prompt and all touches together")
  func budget() {
    var machine = touching()
    #expect(machine.words(.dry, after: 300) == ["tell retry(reason: 2)", "capture 700"])
    #expect(machine.words(.miss, after: 300) == ["tell missed(left: 2)", "ask after missed"])
    #expect(
      machine.words(.advice(.awaitTouch(fallback: .passcode))) == ["open sensor", "capture 400"],
      "the same prompt is not shown twice")
    #expect(machine.words(.dry, after: 400) == ["close session", "ask after timedOut"])
  }

  @Test("ATTACKS 4: a prompt that is never shown times out, of either kind")
  func neverShown() {
    var machine = machine()
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitTouch(fallback: .hidden)))
    #expect(machine.words(.timePassed, after: 1000) == ["close session", "ask after timedOut"])
    #expect(machine.words(.advice(.awaitPasscode)) == ["show passcode", "wait 1000"])
    #expect(machine.words(.timePassed, after: 1000) == ["ask after timedOut"])
  }

  @Test("a passcode may be typed for any time once its prompt is shown")
  func slowTyping() {
    var machine = machine()
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitPasscode))
    #expect(machine.words(.answer(.shown)) == ["wait for ever"])
    #expect(machine.words(.passcode(), after: 90_000) == ["verify"])
    #expect(machine.words(.verified(isRight: false)) == ["ask after passcodeRefused"])
    #expect(machine.words(.advice(.awaitPasscode)) == ["show passcode", "wait 1000"])
    #expect(machine.words(.passcode()) == ["verify"])
    #expect(machine.words(.verified(isRight: true)) == ["proof", "ask after passcodeAccepted"])
    #expect(machine.words(.advice(.succeed)) == ["finish"])
    #expect(machine.conclusion.evidence == .passcode)
  }

  @Test("cancel and fallback stop the capture before the policy hears of them")
  func answers() {
    for (answer, event) in [
      (RequestEvent.cancelPressed, "cancelled"), (.fallbackChosen, "fallbackChosen"),
    ] {
      var machine = touching()
      #expect(machine.words(.answer(answer)) == ["stop"])
      #expect(machine.words(.stopped(nil)) == ["ask after \(event)"])
    }
  }

  @Test("a match that was quicker than the typed passcode counts, a miss too")
  func racing() {
    var machine = touching()
    #expect(machine.words(.passcode()) == ["stop"])
    #expect(
      machine.words(.stopped(.matched(finger: "thumb", score: 20, threshold: 12)))
        == ["close session", "proof", "ask after matched"])
    machine = touching()
    _ = machine.words(.passcode())
    #expect(
      machine.words(
        .stopped(.missed(score: 3, threshold: 12, misses: 1, isLockedOut: false, addsUp: false)))
        == [
          "verify"
        ])
    let reaction = machine.handle(.verified(isRight: false), after: 0)
    #expect(reaction.moment?.progress.misses == 1)
    #expect(reaction.moment?.progress.refusedPasscodes == 1)
    machine = touching()
    _ = machine.words(.passcode())
    #expect(
      machine.words(.stopped(.ended(status: Int32(AC_ERR_INTERRUPTED), message: "")))
        == ["close session", "verify"])
  }

  @Test("L4: where the policy offers no passcode a typed one is not taken")
  func noPasscode() {
    var machine = touching(.application, .biometrics)
    #expect(machine.words(.passcode()) == ["capture 1000"])
  }

  @Test("a cancel beats a match that was quicker")
  func cancelBeatsMatch() {
    var machine = touching()
    _ = machine.words(.answer(.cancelPressed))
    #expect(
      machine.words(.stopped(.matched(finger: "thumb", score: 20, threshold: 12)))
        == ["close session", "ask after cancelled"])
    #expect(machine.words(.advice(.succeed)) == ["fail engineFailed"])
  }

  @Test("misses are counted down to the one limit there is")
  func misses() {
    var machine = touching()
    for left in (0..<CallProgress.mostMisses).reversed() {
      #expect(machine.words(.miss) == ["tell missed(left: \(left))", "ask after missed"])
      _ = machine.words(.advice(.awaitTouch(fallback: .passcode)))
    }
    #expect(machine.words(.miss) == ["tell missed(left: 0)", "ask after missed"])
  }

  @Test("of the tries before a lockout and those of the call the fewer are told")
  func missesBeforeLockout() {
    var machine = touching()
    let miss = MachineEvent.outcome(
      .missed(score: nil, threshold: 12, misses: 4, isLockedOut: false, addsUp: false))
    #expect(machine.words(miss) == ["tell missed(left: 1)", "ask after missed"])
  }

  @Test("retries in a row make a sensor that is given up; a comparison begins them anew")
  func retries() {
    var machine = touching { $0.retriesInARow = 3 }
    _ = machine.words(.dry)
    _ = machine.words(.ended(Int(AC_ERR_INTERRUPTED)))
    _ = machine.words(.miss)
    _ = machine.words(.advice(.awaitTouch(fallback: .passcode)))
    _ = machine.words(.dry)
    _ = machine.words(.dry)
    let reaction = machine.handle(.dry, after: 0)
    #expect(
      reaction.words == [
        "close session", "tell sensorLost(message: \"the sensor reads no touch\")",
        "ask after sensorLost",
      ])
    #expect(reaction.moment?.isSensorLost == true)
  }

  @Test(
    "a sensor that goes or fails is said in its own words",
    arguments: [
      (Int(AC_ERR_GONE), "unplugged", "unplugged"),
      (Int(AC_ERR_GONE), "", "the sensor was unplugged"),
      (Int(AC_ERR_IO), "", "the sensor failed"), (Int(AC_ERR_IO), "too hot", "too hot"),
    ])
  func lost(status: Int, message: String, said: String) {
    var machine = touching()
    #expect(
      machine.words(.ended(status, message)) == [
        "close session", "tell sensorLost(message: \"\(said)\")", "ask after sensorLost",
      ])
    machine = touching()
    #expect(
      machine.words(.lost(Failure(.driverFailed, said))) == [
        "close session", "tell sensorLost(message: \"\(said)\")", "ask after sensorLost",
      ])
  }

  @Test("the end of the touches is a timeout")
  func endOfTape() {
    var machine = touching()
    #expect(machine.words(.ended(Int(AC_ERR_TIMEOUT))) == ["close session", "ask after timedOut"])
  }

  @Test("lockout leads back to the policy; one that asks for a touch all the same gets the lockout")
  func lockout() {
    let lockout = Failure(.biometryLockout, "locked out")
    for event in [MachineEvent.lockedOut(lockout), .outcome(.failed(lockout))] {
      var machine = touching()
      #expect(machine.words(event).last == "ask after none")
      #expect(machine.words(.advice(.awaitTouch(fallback: .passcode))) == ["fail biometryLockout"])
    }
    var machine = touching()
    #expect(
      machine.words(.outcome(.failed(Failure(.storageFailed, "x")))) == ["fail storageFailed"])
  }

  @Test("an event of an enrollment fails a match")
  func wrongKind() {
    for event in [
      MachineEvent.taken(1), .outcome(.refused(.tooDry)), .outcome(.duplicate(finger: "x")),
    ] {
      var machine = touching()
      #expect(machine.words(event) == ["fail engineFailed"])
    }
  }

  @Test("a touch of earlier takes the place of the first touch, and is no fresh proof")
  func held() {
    var machine = machine(.biometrics, held: .biometry)
    _ = machine.words(.begin)
    #expect(machine.words(.advice(.awaitTouch(fallback: .application))) == ["ask after matched"])
    #expect(machine.words(.advice(.succeed)) == ["finish"])
    var later = self.machine(held: .biometry)
    _ = later.words(.begin)
    _ = later.words(.advice(.awaitPasscode))
    _ = later.words(.answer(.cancelPressed))
    #expect(later.words(.advice(.awaitTouch(fallback: .passcode))).first == "open sensor")
  }

  @Test(
    "E4: success is believed only with its proof",
    arguments: [PolicyRequest.owner, .biometrics, .passcodeOnly])
  func unproved(request: PolicyRequest) {
    var machine = machine(request)
    _ = machine.words(.begin)
    #expect(machine.words(.advice(.succeed)) == ["fail engineFailed"])
  }

  @Test("L4: a passcode proves nothing to biometrics")
  func passcodeForBiometrics() {
    var machine = machine(.biometrics)
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitPasscode))
    _ = machine.words(.passcode())
    _ = machine.words(.verified(isRight: true))
    #expect(machine.words(.advice(.succeed)) == ["fail engineFailed"])
  }

  @Test("what was proved is told the policy as held by the item's context")
  func evidenceOfAccess() throws {
    let control = try AccessControl(parsing: "biometry-any and passcode")
    var machine = touching(.hidden, .access(control, held: []))
    let reaction = machine.handle(.match, after: 0)
    #expect(reaction.moment?.request == .access(control, held: .biometry))
  }

  @Test("one comparison is over after a match and after a miss, not after a retry")
  func oneComparison() {
    for event in [MachineEvent.match, .miss] {
      var machine = touching(.hidden, .biometrics, goal: .oneComparison)
      #expect(machine.words(.dry).last == "capture 1000")
      #expect(machine.words(event).last == "finish")
    }
  }

  @Test("a passcode that the request itself takes is over with the right one")
  func passcodeTaken() {
    var machine = machine(.passcodeOnly, goal: .passcodeTaken)
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitPasscode))
    _ = machine.words(.passcode())
    #expect(machine.words(.verified(isRight: false)) == ["ask after passcodeRefused"])
    _ = machine.words(.advice(.awaitPasscode))
    _ = machine.words(.passcode())
    #expect(machine.words(.verified(isRight: true)) == ["proof", "finish"])
  }

  @Test("a policy that comes to no decision is asked so often and no more")
  func endless() {
    var machine = machine { $0.evaluationSteps = 3 }
    _ = machine.words(.begin)
    for step in 1...3 {
      _ = machine.words(.advice(.awaitPasscode))
      let words = machine.words(.answer(.noPasscode))
      #expect(words == [step < 3 ? "ask after noPasscode" : "fail engineFailed"])
    }
  }

  @Test("what the machine did not ask for ends the request, never the core")
  func outOfTurn() {
    var machine = machine()
    _ = machine.words(.begin)
    #expect(machine.words(.verified(isRight: true)) == ["fail coreFailed"])
    #expect(machine.words(.stopped(nil)) == ["fail coreFailed"])
  }
}
