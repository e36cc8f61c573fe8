import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Unlocking on demand")
struct UnlockingTests {
  private func locked(
    _ touches: [FakeDriver.Touch] = [], clock: BootClock = .system, isArmed: Bool = true
  ) -> TestCore {
    let test = TestCore(touches, clock: clock)
    test.enclave.set {
      $0.isLocked = true
      $0.isBiometricUnlockArmed = isArmed
    }
    return test
  }

  private let get = GetItem(query: ItemQuery())
  private let program = PromptOptions.test(reason: "", applicationName: "Git")

  /// The secret of the item that comes, after any progress.
  private func receiveItem(_ client: FakeClient) throws -> [UInt8] {
    while true {
      let received = try client.stream.receive(milliseconds: 600_000)
      switch try ClientEnvelope.header(received.bytes.bytes).number {
      case Progress.number: continue
      case Failure.number:
        throw try ClientEnvelope.decode(received.bytes.bytes, as: Failure.self)
      default: return try ClientEnvelope.decode(received.bytes, as: GotItem.self).secret.array
      }
    }
  }

  private func guarded(_ test: TestCore) {
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "presence") }
  }

  @Test("FINDINGS B1: a locked device is unlocked before anything is searched, whatever is there")
  func promptsFirst() throws {
    let test = locked([.match])
    let client = try test.clientWithSensor()
    let id = try client.ask(get, .test(reason: ""), unlocks: true)
    let prompt = try client.receivePrompt()
    #expect(test.keychain.state.read { $0.asked.isEmpty }, "the prompt tells nothing of an item")
    #expect(prompt.awaitsTouch && prompt.unlocks && prompt.matter == .secret && prompt.item == nil)
    try client.answer(prompt, .shown, request: id)
    #expect(try receiveItem(client) == Array("secret".utf8))
    #expect(test.enclave.state.read { !$0.status.isLocked && $0.contexts.isEmpty })
  }

  @Test("FINDINGS B1: one touch unlocks and opens what is guarded, and serves no other request")
  func oneTouch() throws {
    let test = locked([.match, .match])
    guarded(test)
    let client = try test.clientWithSensor()
    let id = try client.ask(get, .test(reason: ""), unlocks: true)
    try client.answer(try client.receivePrompt(), .shown, request: id)
    _ = try receiveItem(client)
    #expect(test.driver.captures == 1)
    let next = try client.ask(get, .test(reason: ""), unlocks: true)
    let prompt = try client.receivePrompt()
    #expect(!prompt.unlocks)
    try client.answer(prompt, .shown, request: next)
    _ = try receiveItem(client)
    #expect(test.driver.captures == 2)
  }

  @Test("FINDINGS B1: what unlocked for a request in a context is no proof for the next one in it")
  func namedContext() throws {
    let test = locked([.match])
    guarded(test)
    let client = try test.clientWithSensor()
    try client.send(NewContext())
    let context = try client.receive(ContextOpened.self).context
    let id = try client.ask(get, .test(reason: ""), in: context, unlocks: true)
    try client.answer(try client.receivePrompt(), .shown, request: id)
    _ = try receiveItem(client)
    try client.ask(get, .none, .forbidden, in: context, unlocks: true)
    #expect(try client.receiveFailure() == .errSecInteractionNotAllowed)
  }

  @Test("FINDINGS B1: where no finger unlocks, the passcode does")
  func passcode() throws {
    let test = locked(isArmed: false)
    let client = try test.clientWithSensor()
    let id = try client.ask(get, .test(reason: ""), unlocks: true)
    let prompt = try client.receivePrompt()
    #expect(!prompt.awaitsTouch && prompt.unlocks)
    try client.answer(prompt, .passcode, "1234", request: id)
    _ = try receiveItem(client)
  }

  @Test(
    "FINDINGS B1: where nobody can be asked, the keychain answers as it is, whatever tape there is",
    arguments: [
      PromptOptions.test(touch: .played, canGivePasscode: false, mayUseAgent: false),
      .test(mayPrompt: false, touch: .none, canGivePasscode: false, mayUseAgent: false),
    ])
  func nobody(options: PromptOptions) throws {
    let test = locked([.match])
    test.keychain.state.update { $0.isClosed = true }
    let client = try test.clientWithSensor()
    try client.ask(get, options, unlocks: true)
    #expect(try client.receiveFailure() == .errSecInteractionNotAllowed)
    #expect(test.driver.captures == 0)
    #expect(test.keychain.state.read { $0.asked == [GetItem.number] })
  }

  @Test("A6: who may not be asked is told that the device is locked, before anything is searched")
  func forbidden() throws {
    let test = locked()
    let client = try test.clientWithSensor()
    try client.ask(get, .none, .forbidden, unlocks: true)
    #expect(try client.receiveFailure() == .errSecInteractionNotAllowed)
    #expect(test.keychain.state.read { $0.asked.isEmpty })
    try client.ask(get, .none, .forbidden)
    _ = try receiveItem(client)
  }

  @Test("L5: an agent asks for a program that has no terminal")
  func agent() throws {
    let test = locked([.match])
    let agent = try test.agent()
    let client = try test.clientWithSensor()
    try client.ask(
      get, .test(reason: "", touch: .played, canGivePasscode: false, applicationName: "Git"),
      unlocks: true)
    let prompt = try agent.client.receive(Prompt.self)
    #expect(prompt.unlocks && prompt.claimedName == "Git" && !prompt.nameProtects)
    try agent.client.answer(prompt, .shown, request: agent.request)
    _ = try receiveItem(client)
  }

  @Test("a request that waited for its turn asks nobody when the device is unlocked by then")
  func queued() throws {
    let test = locked([.match])
    let agent = try test.agent()
    let clients = try [test.clientWithSensor(), test.clientWithSensor()]
    for client in clients {
      try client.ask(get, .test(reason: "", touch: .played, canGivePasscode: false), unlocks: true)
    }
    let prompt = try agent.client.receive(Prompt.self)
    test.core.agents.waitForQueue(1)
    try agent.client.answer(prompt, .shown, request: agent.request)
    for client in clients { _ = try receiveItem(client) }
    #expect(test.driver.captures == 1)
  }

  @Test("only the person's Cancel brings that pause: no time-out, no dismissal by the program")
  func noPause() throws {
    let test = locked([.timeout])
    let client = try test.clientWithSensor()
    let id = try client.ask(get, program, unlocks: true)
    try client.answer(try client.receivePrompt(), .shown, request: id)
    #expect(try client.receiveFailure() == .timedOut)
    let second = try client.ask(get, program, unlocks: true)
    _ = try client.receivePrompt()
    try client.send(Cancel(), request: second)
    #expect(try client.receiveFailure() == .appCancel)
    try client.ask(get, program, unlocks: true)
    #expect(try client.receivePrompt().unlocks)
  }

  @Test("no touch counts before the prompt has been on view for its time")
  func firstMoment() {
    var limits = CoreLimits()
    limits.promptMilliseconds = 500
    var moment = PolicyMoment(request: .owner)
    var machine = EvaluationMachine(moment, milliseconds: 1000, limits: limits)
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitTouch(fallback: .passcode)))
    #expect(machine.words(.answer(.shown), after: 100) == ["wait 500"])
    #expect(machine.words(.answer(.shown), after: 200) == ["wait 300"], "said twice")
    #expect(machine.words(.timePassed, after: 300) == ["capture 900"])
    moment.touch = .played
    var tape = EvaluationMachine(moment, milliseconds: 1000, limits: limits)
    _ = tape.words(.begin)
    _ = tape.words(.advice(.awaitTouch(fallback: .passcode)))
    #expect(tape.words(.answer(.shown)) == ["capture 1000"], "nobody sees a prompt")
  }

  @Test("in a prompt's first moment Cancel and the passcode count, and no capture has begun")
  func answersInFirstMoment() {
    var limits = CoreLimits()
    limits.promptMilliseconds = 500
    var machine = EvaluationMachine(
      PolicyMoment(request: .owner), milliseconds: 1000, limits: limits)
    _ = machine.words(.begin)
    _ = machine.words(.advice(.awaitTouch(fallback: .passcode)))
    _ = machine.words(.answer(.shown))
    #expect(machine.words(.answer(.cancelPressed), after: 100) == ["stop"])
    #expect(machine.words(.stopped(nil)) == ["ask after cancelled"])
  }
}
