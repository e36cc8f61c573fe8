import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Hosts that die")
struct HostDeathTests {
  private let owner = Evaluate(policy: .owner, reuseSeconds: 0, options: .test())

  @Test(
    "an enclave that dies in any request fails it, and the next request starts another one",
    arguments: [
      GetEnclaveStatus.number, OpenContext.number, OpenChannel.number, BeginMatch.number,
    ])
  func enclaveDies(number: UInt8) throws {
    let test = TestCore([.match])
    test.enclave.state.update { $0.dyingOf = number }
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    // What is behind a channel the enclave hears of with the first session there.
    if number == BeginMatch.number || number == OpenChannel.number {
      try client.answer(try client.receive(Prompt.self), .shown, request: id)
    }
    #expect(try client.receiveFailure() == .engineFailed)
    test.enclave.state.update { $0.dyingOf = nil }
    try client.send(GetStatus())
    #expect(try !client.receive(CoreStatus.self).isFirstUnlocked)
    #expect(test.enclave.state.read { $0.starts } == 2)
  }

  @Test(
    "an enclave that dies while a person is waited for ends the prompt at once",
    arguments: [true, false])
  func enclaveDiesAtPrompt(awaitingTouch: Bool) throws {
    let test = TestCore([.wait])
    let client = awaitingTouch ? try test.clientWithSensor() : try test.greetedClient()
    let id = try client.send(owner)
    let prompt = try client.receive(Prompt.self)
    #expect(prompt.awaitsTouch == awaitingTouch)
    if awaitingTouch {
      try client.answer(prompt, .shown, request: id)
      test.driver.waitForCapture()
    }
    test.enclave.host?.die()
    #expect(try client.receiveFailure() == .engineFailed)
  }

  @Test("after the enclave's death the driver starts anew with it")
  func driverFollowsEnclave() throws {
    let test = TestCore([.match, .match])
    let client = try test.clientWithSensor()
    for round in 1...2 {
      let id = try client.send(owner)
      try client.answer(try client.receive(Prompt.self), .shown, request: id)
      _ = try client.receiveAfterProgress(Evaluated.self)
      #expect(test.driver.starts == round)
      test.enclave.host?.die()
      try client.send(GetStatus())
      while true {
        do {
          _ = try client.receive(CoreStatus.self)
          break
        } catch let failure as Failure where failure.code == .engineFailed {
          // The death was noticed by this request.
          try client.send(GetStatus())
        }
      }
      test.enclave.set { $0.isFirstUnlocked = true }
    }
  }

  @Test("an enclave that does not answer is ended")
  func enclaveHangs() throws {
    let test = TestCore { $0.enclaveCallMilliseconds = 20 }
    test.enclave.state.update { $0.silentTo = GetEnclaveStatus.number }
    let client = try test.greetedClient()
    try client.send(GetStatus())
    #expect(try client.receiveFailure() == .engineFailed)
    #expect(test.enclave.host?.hasEnded == true)
  }

  /// A request, and what the enclave is asked for it.
  enum Step: CaseIterable, Sendable {
    case status, openContext, verifyPasscode, openChannel, beginMatch, beginEnrollment
    case commitEnrollment, listFingers, unlockWithMatch, changePasscode, lock, sealItem

    var asked: UInt8 {
      switch self {
      case .status: GetEnclaveStatus.number
      case .openContext: OpenContext.number
      case .verifyPasscode: VerifyPasscode.number
      case .openChannel: OpenChannel.number
      case .beginMatch: BeginMatch.number
      case .beginEnrollment: BeginEnrollment.number
      case .commitEnrollment: CommitEnrollment.number
      case .listFingers: ListFingers.number
      case .unlockWithMatch: UnlockWithMatch.number
      case .changePasscode: ReplacePasscode.number
      case .lock: LockDevice.number
      case .sealItem: SealItem.number
      }
    }

    func send(_ client: FakeClient) throws -> UInt32 {
      switch self {
      case .status: return try client.send(GetStatus())
      case .openContext, .openChannel, .beginMatch, .verifyPasscode:
        return try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
      case .beginEnrollment, .commitEnrollment:
        return try client.send(EnrollFinger(name: "", touches: 3, options: .test()))
      case .listFingers: return try client.ask(ListFingers())
      case .unlockWithMatch: return try client.send(UnlockDevice(options: .test()))
      case .changePasscode:
        let new = SecretBytes(copying: Array("5678".utf8).span)
        return try client.send(ChangePasscode(replacement: new, options: .test()))
      case .lock: return try client.ask(LockDevice())
      case .sealItem:
        let secret = SecretBytes(copying: Array("new".utf8).span)
        return try client.ask(AddItem(attributes: ItemAttributes(), secret: secret))
      }
    }
  }

  /// Sends the request of `step`, and answers its prompts until it fails.
  private func failure(_ step: Step, _ client: FakeClient) throws -> FailureCode? {
    try failure(step, client, try step.send(client))
  }

  private func failure(_ step: Step, _ client: FakeClient, _ id: UInt32) throws -> FailureCode? {
    for _ in 0..<5 {
      do {
        let prompt = try client.receivePrompt()
        let isTouch = prompt.awaitsTouch && step != .verifyPasscode
        try client.answer(prompt, isTouch ? .shown : .passcode, isTouch ? "" : "1234", request: id)
      } catch let failure as Failure {
        return failure.code
      }
    }
    return nil
  }

  private func core(
    for step: Step, _ change: (inout CoreLimits) -> Void = { $0.enclaveCallMilliseconds = 50 }
  ) -> TestCore {
    let isEnrollment = step == .beginEnrollment || step == .commitEnrollment
    let test = TestCore(isEnrollment ? [.taken(1), .taken(2), .taken(3)] : [.match], change)
    test.keychain.state.update { $0.sealsItems = true }
    if step == .unlockWithMatch {
      test.enclave.set {
        $0.isLocked = true
        $0.isBiometricUnlockArmed = true
      }
    }
    return test
  }

  @Test(
    "an enclave that answers nonsense, or another question, fails the request and no other",
    arguments: Step.allCases, [[], [255], [0, 1], [9], GetStatus().encoded().array] as [[UInt8]])
  func enclaveLies(step: Step, bytes: [UInt8]) throws {
    let test = core(for: step)
    let client = try test.clientWithSensor()
    test.enclave.state.update { $0.lie = (step.asked, bytes) }
    #expect(try failure(step, client) == .engineFailed)
    test.enclave.state.update { $0.lie = nil }
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
  }

  @Test(
    "an enclave that hangs at any step is ended, and another one serves the next request",
    arguments: Step.allCases)
  func enclaveHangsAnywhere(step: Step) throws {
    let test = core(for: step)
    let client = try test.clientWithSensor()
    test.enclave.state.update { $0.silentTo = step.asked }
    #expect(try failure(step, client) == .engineFailed)
    #expect(test.enclave.host?.hasEnded == true)
    test.enclave.state.update { $0.silentTo = nil }
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
    #expect(test.enclave.state.read { $0.starts } == 2)
  }

  @Test(
    "Cancel ends a request while the enclave takes its time, and what comes late disturbs no other",
    arguments: Step.allCases.filter { $0 != .openChannel })
  func cancelMeanwhile(step: Step) throws {
    let test = core(for: step) { $0.enclaveCallMilliseconds = 600_000 }
    let client = try test.clientWithSensor()
    test.enclave.state.update { $0.slowFor = step.asked }
    let id = try step.send(client)
    // A second hand on the client's socket, which cancels once the enclave has been asked.
    let socket = dup(client.stream.descriptor.number)
    let enclave = test.enclave
    SystemThread.start(name: "cancel") {
      let stream = MessageStream(Descriptor(owning: socket), limit: ClientEnvelope.longestReply)
      enclave.waitUntilHeldBack()
      try? stream.send(ClientEnvelope.encode(Cancel(), request: id))
    }
    #expect(try failure(step, client, id) == .appCancel)
    test.enclave.catchUp()
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
    _ = try client.ask(ListFingers())
    _ = try client.receive(FingerList.self)
    let left = test.enclave.state.update {
      ($0.contexts.count, $0.matches.count, $0.enrollments.count)
    }
    #expect(left == (0, 0, 0), "what was opened late is closed all the same")
  }

  @Test("an event of the enclave that makes no sense fails the request")
  func enclaveTalksNonsense() throws {
    let test = TestCore([.wait])
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    test.driver.waitForCapture()
    test.enclave.host?.say(.event([64, 0]))
    #expect(try client.receiveFailure() == .engineFailed)
  }

  @Test("an event of an enrollment during a match fails the request")
  func wrongEvent() throws {
    let test = TestCore([.taken(1)])
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveFailure() == .engineFailed)
  }

  @Test(
    "a driver that dies during a touch is said, the passcode is asked for, and the next request starts it anew"
  )
  func driverDies() throws {
    let test = TestCore([.die, .match])
    let client = try test.clientWithSensor()
    var id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let (prompt, progress) = try client.receiveAfterProgress(Prompt.self)
    guard case .sensorLost(let message) = progress.last else {
      Issue.record("the loss of the sensor was not said")
      return
    }
    #expect(message.contains("Killed"))
    try client.answer(prompt, .passcode, "1234", request: id)
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
    id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
    #expect(test.driver.starts == 2)
  }

  @Test("a driver that dies between two requests is started anew")
  func driverDiesBetween() throws {
    let test = TestCore([.match, .match])
    let client = try test.clientWithSensor()
    for _ in 0..<2 {
      let id = try client.send(owner)
      try client.answer(try client.receive(Prompt.self), .shown, request: id)
      _ = try client.receiveAfterProgress(Evaluated.self)
      test.driver.hosts.last?.die()
      test.driver.hosts.last?.waitUntilReaped()
    }
    #expect(test.driver.starts == 2)
  }

  @Test("the enclave's death during a capture does not wait for the driver to stop")
  func enclaveDiesDuringCapture() throws {
    let test = TestCore([.wait]) { $0.sensorGraceNanoseconds = 600_000_000_000 }
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    test.driver.waitForCapture()
    test.enclave.host?.die()
    #expect(try client.receiveFailure() == .engineFailed)
  }

  @Test("a driver's death is told by its own reason, not as a device that is gone")
  func deathBehindGone() throws {
    let test = TestCore([.goneByDeath]) { $0.deathNanoseconds = 10_000_000_000 }
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let (_, progress) = try client.receiveAfterProgress(Prompt.self)
    guard case .sensorLost(let message) = progress.last else {
      Issue.record("the loss of the sensor was not said")
      return
    }
    #expect(message.contains("Killed"))
  }

  @Test("a driver that hangs is ended when the time is over")
  func driverHangs() throws {
    let test = TestCore([.hang]) { $0.sensorGraceNanoseconds = 10_000_000 }
    let client = try test.clientWithSensor()
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test(timeout: 20)))
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try !client.receivePrompt().awaitsTouch)
    #expect(test.driver.hosts.first?.hasEnded == true)
  }

  @Test("a driver that cannot open its device fails the request before any prompt, with its words")
  func driverCannotOpen() throws {
    let test = TestCore([.match])
    test.driver.state.update {
      $0.openFailure = Failure(.driverFailed, "tape.txt:3: a word nobody knows")
    }
    let client = try test.clientWithSensor()
    try client.send(owner)
    let failure = try client.receive(Failure.self)
    #expect(failure.code == .driverFailed && failure.message.contains("tape.txt:3"))
    #expect(test.driver.hosts.first?.hasEnded == true)
  }
}
