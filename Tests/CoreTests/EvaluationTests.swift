import AuthcoreABI
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Evaluating a policy")
struct EvaluationTests {
  private let owner = Evaluate(policy: .owner, reuseSeconds: 0, options: .test())
  private let biometrics = Evaluate(policy: .biometrics, reuseSeconds: 0, options: .test())

  @Test("L3: a touch that matches authenticates, and no capture starts before the prompt is shown")
  func match() throws {
    let test = TestCore([.match])
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    let prompt = try client.receive(Prompt.self, request: id)
    #expect(prompt.awaitsTouch && prompt.fallback == .passcode && prompt.reason == "to test")
    #expect(test.driver.captures == 0)
    try client.answer(prompt, .shown, request: id)
    let (reply, progress) = try client.receiveAfterProgress(Evaluated.self)
    #expect(reply.evidence == .biometry && reply.finger == "thumb")
    #expect(progress == [.awaitingTouch, .matched(finger: "thumb")])
    #expect(test.enclave.state.update { $0.contexts.isEmpty && $0.matches.isEmpty })
  }

  @Test(
    "X2: a retry and two misses go on in one prompt, with advice after small ones; a third ends it",
    arguments: [false, true])
  func misses(addsUp: Bool) throws {
    let miss = FakeDriver.Touch.miss(addsUp: addsUp)
    let test = TestCore([.dry, miss, miss, miss])
    let client = try test.clientWithSensor()
    let id = try client.send(biometrics)
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    let (failure, progress) = try client.receiveAfterProgress(Failure.self)
    #expect(failure.code == .authenticationFailed)
    let advice: [Progress.Event] = addsUp ? [.refused(.differentPart)] : []
    #expect(
      progress == [.awaitingTouch, .retry(reason: 2), .awaitingTouch, .missed(left: 2)] + advice
        + [.awaitingTouch, .missed(left: 1)] + advice + [.awaitingTouch, .missed(left: 0)])
  }

  @Test(
    "L10: every answer before the capture comes before any touch",
    arguments: [(PromptAnswer.Kind.cancel, FailureCode.userCancel), (.fallback, .userFallback)])
  func answersBeforeCapture(kind: PromptAnswer.Kind, code: FailureCode) throws {
    let test = TestCore([.match])
    let client = try test.clientWithSensor()
    let id = try client.send(biometrics)
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, kind, request: id)
    #expect(try client.receiveFailure() == code)
    #expect(test.driver.captures == 0)
  }

  @Test("cancel during a capture stops it")
  func cancelDuringCapture() throws {
    let (test, client, id, prompt) = try TestCore.awaitingTouch(owner)
    try client.answer(prompt, .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
    #expect(test.driver.stops == 1)
  }

  @Test("the passcode typed while a touch is awaited wins")
  func passcodeDuringTouch() throws {
    let (test, client, id, prompt) = try TestCore.awaitingTouch(owner)
    try client.answer(prompt, .passcode, "1234", request: id)
    let reply = try client.receiveAfterProgress(Evaluated.self).value
    #expect(reply.evidence == .passcode)
    #expect(test.driver.stops == 1)
  }

  @Test("a wrong passcode during a touch brings a prompt for the passcode that says so")
  func wrongPasscodeDuringTouch() throws {
    let (test, client, id, first) = try TestCore.awaitingTouch(owner)
    try client.answer(first, .passcode, "9999", request: id)
    let second = try client.receivePrompt()
    #expect(second.prompt == first.prompt + 1 && second.refusedPasscodes == 1)
    #expect(!second.awaitsTouch && test.driver.stops == 1)
    try client.answer(second, .passcode, "0000", request: id)
    let third = try client.receivePrompt()
    #expect(third.refusedPasscodes == 2)
    try client.answer(third, .passcode, "1234", request: id)
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
  }

  @Test("L4: biometrics takes no passcode, whatever the client sends")
  func noPasscodeForBiometrics() throws {
    let test = TestCore([.wait])
    let client = try test.clientWithSensor()
    let id = try client.send(biometrics)
    let prompt = try client.receive(Prompt.self)
    #expect(prompt.fallback == .application)
    try client.answer(prompt, .passcode, "1234", request: id)
    try client.answer(prompt, .shown, request: id)
    test.driver.waitForCapture()
    #expect(!test.enclave.asked.contains(VerifyPasscode.number))
    try client.answer(prompt, .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
  }

  @Test("a driver has the person told to lift the finger once in a capture, however often it asks")
  func lift() throws {
    let (test, client, id, prompt) = try TestCore.awaitingTouch(owner)
    let driver = try #require(test.driver.hosts.last)
    for _ in 1...100 { driver.say(.liftAwaited) }
    var told = Progress.Event.awaitingTouch
    while told == .awaitingTouch { told = try client.receive(Progress.self).event }
    #expect(told == .retry(reason: Int32(AC_RETRY_LIFT)))
    try client.answer(prompt, .passcode, "1234", request: id)
    let (_, later) = try client.receiveAfterProgress(Evaluated.self)
    #expect(!later.contains(.retry(reason: Int32(AC_RETRY_LIFT))))
  }

  @Test("answers to a prompt that is over or never was are ignored")
  func lateAnswers() throws {
    let test = TestCore([.match])
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    let first = try client.receive(Prompt.self)
    try client.answer(first, .passcode, "9999", request: id)
    let second = try client.receivePrompt()
    try client.answer(first, .cancel, request: id)
    try client.send(PromptAnswer(prompt: 77, kind: .cancel), request: id)
    try client.send(PromptAnswer(prompt: second.prompt, kind: .cancel), request: id + 100)
    try client.answer(second, .shown, request: id)
    try client.answer(second, .passcode, "1234", request: id)
    try client.answer(second, .cancel, request: id)
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
  }

  @Test("the end of a tape is a timeout at once")
  func endOfTape() throws {
    let test = TestCore([])
    let client = try test.clientWithSensor()
    let id = try client.send(biometrics)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveFailure() == .timedOut)
  }

  @Test(
    "ATTACKS 4: a prompt that the client never shows holds a request no longer than its timeout")
  func neverShown() throws {
    let test = TestCore([.match])
    let brief = PromptOptions.test(timeout: 20)
    let touch = try test.clientWithSensor()
    try touch.send(Evaluate(policy: .owner, reuseSeconds: 0, options: brief))
    #expect(try touch.receivePrompt().awaitsTouch)
    #expect(try touch.receiveFailure() == .timedOut)
    #expect(test.driver.captures == 0)

    let passcode = try test.greetedClient()
    try passcode.send(Evaluate(policy: .owner, reuseSeconds: 0, options: brief))
    #expect(try !passcode.receivePrompt().awaitsTouch)
    #expect(try passcode.receiveFailure() == .timedOut)

    // A busy machine may need longer for the passcode: each try has more time than the last.
    var milliseconds: UInt32 = 25
    var awaitsTouch = false
    while !awaitsTouch {
      milliseconds *= 4
      do {
        let request = EnrollFinger(name: "", touches: 0, options: .test(timeout: milliseconds))
        let id = try touch.send(request)
        try touch.answer(try touch.receivePrompt(), .passcode, "1234", request: id)
        awaitsTouch = try touch.receivePrompt().awaitsTouch
      } catch let failure as Failure where failure.code == .timedOut {}
    }
    #expect(try touch.receiveFailure() == .timedOut)
    #expect(test.enclave.state.update { $0.contexts.isEmpty && $0.enrollments.isEmpty })
  }

  @Test("a sensor that is unplugged is said, and the passcode is asked for")
  func unplugged() throws {
    let test = TestCore([.gone])
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let (prompt, progress) = try client.receiveAfterProgress(Prompt.self)
    #expect(progress.last == .sensorLost(message: "the reader was unplugged"))
    #expect(!prompt.awaitsTouch)
    try client.answer(prompt, .passcode, "1234", request: id)
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
  }

  @Test("lockout that the enclave finds during the call leads to the passcode")
  func lockoutDuringCall() throws {
    let lockout = Failure(.biometryLockout, "locked out")
    let test = TestCore([.outcome(.failed(lockout))])
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    let prompt = try client.receive(Prompt.self)
    test.enclave.set { $0.isLockedOut = true }
    try client.answer(prompt, .shown, request: id)
    let next = try client.receivePrompt()
    #expect(!next.awaitsTouch)
    try client.answer(next, .noPasscode, request: id)
    #expect(try client.receiveFailure() == .notInteractive)
  }

  @Test("an enclave that refuses to match although its state allows it ends the call")
  func refusedMatch() throws {
    let test = TestCore([.match])
    test.enclave.state.update { $0.matchRefusal = Failure(.biometryLockout, "not now") }
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveFailure() == .biometryLockout)
  }

  @Test("a sensor that only asks to try again is given up after a number of retries")
  func endlessRetries() throws {
    let test = TestCore(Array(repeating: .dry, count: 40)) { $0.retriesInARow = 5 }
    let client = try test.clientWithSensor()
    let id = try client.send(biometrics)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let (_, progress) = try client.receiveAfterProgress(Failure.self)
    #expect(progress.last == .sensorLost(message: "the sensor reads no touch"))
    #expect(test.driver.captures == 5)
  }

  @Test("a recent unlock by touch takes the place of the touch (--reuse)")
  func reuse() throws {
    let test = TestCore([])
    test.enclave.state.update { $0.reuse = .biometry }
    let client = try test.clientWithSensor()
    try client.send(Evaluate(policy: .biometrics, reuseSeconds: 30, options: .test()))
    #expect(try client.receive(Evaluated.self).evidence == .biometry)
    try client.send(Evaluate(policy: .biometrics, reuseSeconds: 301, options: .test()))
    #expect(try client.receiveFailure() == .usage)
  }

  @Test(
    "L6, FINDINGS A14: a reason without visible characters is an error before any prompt",
    arguments: ["", "  ", "\n", "\u{200B}", "\u{A0}\u{2028}", "\u{7}", "\u{2060}\u{3164}"])
  func unreadableReason(reason: String) throws {
    let test = TestCore([.match])
    let client = try test.clientWithSensor()
    let options = PromptOptions.test(reason: reason)
    try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: options))
    #expect(try client.receiveFailure() == .invalidReason)
    guard !reason.isEmpty else { return }
    // Not only where the reason is all that is said.
    test.enclave.set { $0.isLocked = true }
    try client.send(UnlockDevice(options: options))
    #expect(try client.receiveFailure() == .invalidReason)
  }

  @Test("L2: whether a policy could be evaluated is said without a prompt")
  func canEvaluate() throws {
    let test = TestCore([])
    let client = try test.greetedClient()
    try client.send(CanEvaluate(policy: .biometrics))
    #expect(try client.receiveFailure() == .biometryNotAvailable)
    try client.send(CanEvaluate(policy: .owner))
    _ = try client.receive(Done.self)
    try client.send(UseDriver(driver: "fake", options: []))
    _ = try client.receive(Done.self)
    try client.send(CanEvaluate(policy: .biometrics))
    _ = try client.receive(Done.self)
    test.enclave.set { $0.syntheticFingers = 0 }
    try client.send(CanEvaluate(policy: .biometrics))
    #expect(try client.receiveFailure() == .biometryNotEnrolled)
    #expect(test.driver.starts == 0)
  }

  @Test("one driver's process serves all requests of a connection and ends with it")
  func oneDriverProcess() throws {
    let test = TestCore([.match, .match])
    do {
      let client = try test.clientWithSensor()
      for _ in 0..<2 {
        let id = try client.send(owner)
        try client.answer(try client.receive(Prompt.self), .shown, request: id)
        _ = try client.receiveAfterProgress(Evaluated.self)
      }
    }
    #expect(test.driver.starts == 1)
    test.driver.hosts.first?.waitForEnd()
  }
}
