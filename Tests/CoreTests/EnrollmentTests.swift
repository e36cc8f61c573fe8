import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Enrolling a finger")
struct EnrollmentTests {
  private func enroll(
    _ client: FakeClient, touches: UInt32 = 0, passcode: String = "1234"
  ) throws -> UInt32 {
    let id = try client.send(EnrollFinger(name: "thumb", touches: touches, options: .test()))
    let prompt = try client.receive(Prompt.self)
    #expect(!prompt.awaitsTouch)
    try client.answer(prompt, .passcode, passcode, request: id)
    return id
  }

  private func start(_ client: FakeClient, touches: UInt32 = 0) throws -> UInt32 {
    let id = try enroll(client, touches: touches)
    let prompt = try client.receive(Prompt.self)
    #expect(prompt.awaitsTouch && prompt.fallback == .hidden)
    try client.answer(prompt, .shown, request: id)
    return id
  }

  @Test("E6: touches after the passcode until coverage is reached; the core hears only of progress")
  func enroll() throws {
    let test = TestCore([
      .taken(1), .dry, .outcome(.refused(.tooSmall)), .taken(2), .taken(3, complete: true),
    ])
    let client = try test.clientWithSensor()
    _ = try start(client)
    let (reply, progress) = try client.receiveAfterProgress(EnrolledFinger.self)
    #expect(reply.touches == 3 && reply.finger.name == "thumb")
    func taken(_ touches: UInt32) -> Progress.Event {
      .taken(
        TakenTouch(
          touches: touches, coverage: Double(touches) / 8, isComplete: touches == 3,
          advice: .moveLeft, picture: FakeDriver.picture))
    }
    let expected: [Progress.Event] = [
      taken(1), .retry(reason: 2), .refused(.tooSmall), taken(2), taken(3),
    ]
    #expect(progress.filter { $0 != .awaitingTouch } == expected)
    #expect(test.enclave.state.update { $0.enrollments.isEmpty && $0.contexts.isEmpty })
  }

  @Test("the relaxed rate is asked for where the owner asked for it, and nowhere else")
  func relaxed() throws {
    for isRelaxed in [false, true] {
      let test = TestCore([.taken(1), .taken(2), .taken(3, complete: true)])
      let client = try test.clientWithSensor()
      let id = try client.send(
        EnrollFinger(name: "thumb", touches: 0, isRelaxed: isRelaxed, options: .test()))
      try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
      try client.answer(try client.receive(Prompt.self), .shown, request: id)
      _ = try client.receiveAfterProgress(EnrolledFinger.self)
      #expect(test.enclave.state.read { $0.relaxedEnrollments } == [isRelaxed])
    }
  }

  @Test("--touches takes exactly so many, whatever the coverage")
  func exactTouches() throws {
    let test = TestCore([.taken(1), .taken(2), .taken(3, complete: true), .taken(4), .taken(5)])
    let client = try test.clientWithSensor()
    _ = try start(client, touches: 4)
    #expect(try client.receiveAfterProgress(EnrolledFinger.self).value.touches == 4)
    #expect(test.driver.captures == 4)
  }

  @Test("when no further touch comes three are enough, and fewer are not", arguments: [2, 3])
  func endOfTape(count: UInt32) throws {
    let test = TestCore((1...count).map { .taken($0) })
    let client = try test.clientWithSensor()
    _ = try start(client)
    if count < 3 {
      #expect(try client.receiveFailure() == .enrolmentIncomplete)
    } else {
      #expect(try client.receiveAfterProgress(EnrolledFinger.self).value.touches == count)
    }
    #expect(test.enclave.asked.last == CloseContext.number)
  }

  @Test("a finger that is enrolled already is refused with its name")
  func duplicate() throws {
    let test = TestCore([.outcome(.duplicate(finger: "right-index"))])
    let client = try test.clientWithSensor()
    _ = try start(client)
    let failure = try client.receiveAfterProgress(Failure.self).value
    #expect(failure.code == .duplicateFinger && failure.message.contains("right-index"))
  }

  @Test("what cannot work is said before the passcode is asked for")
  func order() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let request = EnrollFinger(name: "", touches: 0, options: .test())
    try client.send(request)
    #expect(try client.receiveFailure() == .biometryNotAvailable)
    try client.send(UseDriver(driver: "fake", options: []))
    _ = try client.receive(Done.self)
    test.enclave.set { $0.isFirstUnlocked = false }
    try client.send(request)
    #expect(try client.receiveFailure() == .errSecInteractionNotAllowed)
    test.enclave.set { $0.isPasscodeSet = false }
    try client.send(request)
    #expect(try client.receiveFailure() == .passcodeNotSet)
  }

  @Test("cancel at the passcode, before and during a touch drops the enrollment")
  func cancel() throws {
    let test = TestCore([.taken(1), .wait])
    let client = try test.clientWithSensor()
    var id = try client.send(EnrollFinger(name: "", touches: 0, options: .test()))
    try client.answer(try client.receive(Prompt.self), .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)

    id = try enroll(client)
    try client.answer(try client.receive(Prompt.self), .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
    #expect(test.driver.captures == 0)

    id = try enroll(client)
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    test.driver.waitForCapture(2)
    try client.answer(prompt, .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
    #expect(test.driver.stops == 1)
    #expect(test.enclave.state.update { $0.enrollments.isEmpty && $0.contexts.isEmpty })
  }

  @Test(
    "a reader that is unplugged, and a driver that dies, end the enrollment",
    arguments: [(FakeDriver.Touch.gone, FailureCode.biometryDisconnected), (.die, .driverFailed)])
  func lost(touch: FakeDriver.Touch, code: FailureCode) throws {
    let test = TestCore([.taken(1), touch])
    let client = try test.clientWithSensor()
    _ = try start(client)
    #expect(try client.receiveFailure() == code)
  }

  @Test("touches that are never usable end it")
  func unusable() throws {
    let test = TestCore(Array(repeating: .dry, count: 40)) { $0.retriesInARow = 4 }
    let client = try test.clientWithSensor()
    _ = try start(client)
    #expect(try client.receiveFailure() == .enrolmentIncomplete)
    #expect(test.driver.captures == 4)
  }

  @Test("finger test compares one touch and tells score and threshold, also of a miss")
  func testFinger() throws {
    let test = TestCore([.dry, .miss, .match])
    let client = try test.clientWithSensor()
    for isMatch in [false, true] {
      let id = try client.send(TestFinger(options: .test()))
      let prompt = try client.receive(Prompt.self)
      #expect(prompt.awaitsTouch && prompt.fallback == .hidden)
      try client.answer(prompt, .shown, request: id)
      let reply = try client.receiveAfterProgress(FingerTested.self).value
      #expect(reply.isMatch == isMatch && reply.threshold == 12)
      #expect(reply.score == (isMatch ? 20 : 3))
    }
    test.enclave.set { $0.isLockedOut = true }
    try client.send(TestFinger(options: .test()))
    #expect(try client.receiveFailure() == .biometryLockout)
  }

  @Test("removing a finger that is not there asks for no passcode; one that is there does")
  func remove() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    try client.ask(RemoveFinger(finger: "thumb"), .test())
    #expect(try client.receiveFailure() == .fingerNotFound)
    test.enclave.state.update {
      $0.fingers = [Finger(identifier: "1", name: "thumb", enrolledAt: 5, isSynthetic: true)]
    }
    let id = try client.ask(RemoveFinger(finger: "thumb"), .test())
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    _ = try client.receive(Done.self)
    try client.ask(ListFingers())
    #expect(try client.receive(FingerList.self).fingers.isEmpty)
  }
}
