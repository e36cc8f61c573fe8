import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import CoreClient

@Suite("A conversation with a core", .timeLimit(.minutes(60)))
struct CoreConnectionTests {
  private static func prompt(_ number: UInt32, awaitsTouch: Bool) -> Prompt {
    Prompt(
      prompt: number, awaitsTouch: awaitsTouch, fallback: .passcode, fallbackTitle: nil,
      cancelTitle: nil, reason: "r", refusedPasscodes: 0)
  }

  @Test("a request is answered under its id, and progress comes before that")
  func request() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let request: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(Progress(.awaitingTouch), to: request.request)
      try core.say(Done(), to: request.request + 1)
      try core.say(Done(), to: request.request)
    }
    let agent = RecordingAgent()
    let done: Done = try connection.request(LockDevice(), agent: agent)
    #expect(done == Done())
    #expect(agent.events == [.awaitingTouch])
    #expect(agent.ends == 1)
    #expect(connection.isSameVersion)
  }

  @Test("a failure of the core is thrown as it is")
  func failure() throws {
    let failure = Failure(.passcodeNotSet, "No passcode is set", hint: "h")
    let connection = try FakeCore.connect { core in
      try core.greet()
      let request: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(failure, to: request.request)
    }
    #expect(throws: failure) { try connection.request(LockDevice(), for: Done.self) }
  }

  @Test("prompts reach the agent and its answers the core")
  func prompts() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let request: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(Self.prompt(1, awaitsTouch: true), to: request.request)
      let shown: FakeCore.Heard<PromptAnswer> = try core.hear()
      try core.say(Self.prompt(2, awaitsTouch: false), to: request.request)
      let given: FakeCore.Heard<PromptAnswer> = try core.hear()
      let isRight =
        shown.message.kind == .shown && shown.message.prompt == 1
        && given.message.kind == .noPasscode && given.message.prompt == 2
        && given.request == request.request
      try core.say(ItemsChanged(count: isRight ? 1 : 0), to: request.request)
    }
    let agent = RecordingAgent(.shown, .noPasscode)
    let reply: ItemsChanged = try connection.request(LockDevice(), agent: agent)
    #expect(reply.count == 1)
    #expect(agent.prompts.map(\.prompt) == [1, 2])
  }

  @Test("without an agent every prompt is answered with noPasscode")
  func noAgent() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let request: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(Self.prompt(1, awaitsTouch: false), to: request.request)
      let answer: FakeCore.Heard<PromptAnswer> = try core.hear()
      try core.say(
        ItemsChanged(count: UInt32(answer.message.kind.rawValue)), to: request.request)
    }
    let reply: ItemsChanged = try connection.request(LockDevice())
    #expect(reply.count == UInt32(PromptAnswer.Kind.noPasscode.rawValue))
  }

  @Test("an agent that hears a signal cancels the request")
  func cancel() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let request: FakeCore.Heard<LockDevice> = try core.hear()
      let cancel: FakeCore.Heard<Cancel> = try core.hear()
      guard cancel.request == request.request else { return }
      try core.say(Failure(.appCancel, "cancelled"), to: request.request)
    }
    var ends: [Int32] = [-1, -1]
    _ = unsafe pipe(&ends)
    defer { for end in ends { close(end) } }
    _ = unsafe write(ends[1], "x", 1)
    let agent = RecordingAgent()
    agent.cancelDescriptor = ends[0]
    #expect(throws: Failure(.appCancel, "cancelled")) {
      try connection.request(LockDevice(), for: Done.self, agent: agent)
    }
  }

  @Test("a core that dies during a request is an error with a hint, not a hang")
  func lost() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let _: FakeCore.Heard<LockDevice> = try core.hear()
    }
    let agent = RecordingAgent()
    let failure = #expect(throws: Failure.self) {
      try connection.request(LockDevice(), for: Done.self, agent: agent)
    }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.hint?.isEmpty == false)
    #expect(agent.ends == 1)
  }

  @Test("bytes that are not a message are an error, not a trap")
  func garbage() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let _: FakeCore.Heard<LockDevice> = try core.hear()
      try core.stream.send(SecretBytes(copying: [11, 0, 0, 0, 1, 99].span))
    }
    let failure = #expect(throws: Failure.self) {
      try connection.request(LockDevice(), for: Done.self)
    }
    #expect(failure?.code == .coreFailed)
  }

  @Test("a core of another protocol is greeted all the same, so that it can be asked to quit")
  func otherVersion() throws {
    let connection = try FakeCore.connect { core in
      try core.greet(version: ClientEnvelope.version + 1)
      let quit: FakeCore.Heard<Quit> = try core.hear()
      try core.say(Done(), to: quit.request)
    }
    #expect(!connection.isSameVersion)
    let _: Done = try connection.request(Quit(unlessUnlocked: true))
    #expect(connection.awaitEnd(milliseconds: .max))
  }

  @Test("ATTACKS 8: a core that has no place says so, also when it has hung up before the greeting")
  func refused() throws {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let busy = Failure(.busy, "64 clients are connected", hint: "try again")
    do {
      let core = MessageStream(Descriptor(owning: ends[1]), limit: ClientEnvelope.longestRequest)
      try core.send(ClientEnvelope.encode(busy, request: 0))
    }
    #expect(throws: busy) { _ = try CoreConnection(greeting: Descriptor(owning: ends[0])) }
  }

  @Test("ATTACKS 8: a connection that had to give way says why at the next request")
  func displaced() throws {
    let busy = Failure(.busy, "another client needed the place", hint: "connect again")
    let connection = try FakeCore.connect { core in
      try core.greet()
      try core.say(busy, to: 0)
    }
    #expect(throws: busy) { try connection.request(LockDevice(), for: Done.self) }
  }
}

@Suite("Contexts, at the client", .timeLimit(.minutes(60)))
struct AuthenticationContextTests {
  /// Receives a client's request in context 5, and answers it.
  private static func answerRequests(_ core: borrowing FakeCore.Line) throws -> Bool {
    let opened: FakeCore.Heard<NewContext> = try core.hear()
    try core.say(ContextOpened(context: 5), to: opened.request)
    let evaluation: FakeCore.Heard<Evaluate> = try core.hear()
    try core.say(
      Evaluated(evidence: .biometry, finger: "thumb", seconds: 1, age: 4), to: evaluation.request)
    let request: FakeCore.Heard<EngineRequest> = try core.hear()
    try core.say(ItemsChanged(count: 2), to: request.request)
    return evaluation.message.context == 5
      && evaluation.message.policy == .biometrics && evaluation.message.reuseSeconds == 0
      && request.message.context == 5 && request.message.engine == .keychain
  }

  private func useContext(
    _ context: borrowing AuthenticationContext
  ) throws {
    #expect(try context.evaluate(.biometrics, .none).age == 4)
    let reply: ItemsChanged = try context.ask(
      RemoveItems(query: ItemQuery(), allowsSeveral: false))
    #expect(reply.count == 2)
  }

  @Test("requests name the context, and invalidating it waits until the enclave has forgotten it")
  func invalidate() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let isNamed = try Self.answerRequests(core)
      let end: FakeCore.Heard<InvalidateContext> = try core.hear()
      if end.message.context == 5, isNamed { try core.say(Done(), to: end.request) }
      let status: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(ItemsChanged(count: 9), to: status.request)
    }
    let context = try connection.openContext()
    try useContext(context)
    try context.invalidate()
    // No other message about it was sent.
    let next: ItemsChanged = try connection.request(LockDevice())
    #expect(next.count == 9)
  }

  @Test("a released context is invalidated, and its answer does not disturb later requests")
  func letGo() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let isNamed = try Self.answerRequests(core)
      let end: FakeCore.Heard<InvalidateContext> = try core.hear()
      let next: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(Done(), to: end.request)
      let isRight = isNamed && end.message.context == 5
      try core.say(ItemsChanged(count: isRight ? 1 : 0), to: next.request)
    }
    do {
      let context = try connection.openContext()
      try useContext(context)
    }
    let next: ItemsChanged = try connection.request(LockDevice())
    #expect(next.count == 1)
  }

  @Test("a context that the core refuses is a failure with its reason")
  func refused() throws {
    let busy = Failure(.busy, "too many", hint: "invalidate some")
    let connection = try FakeCore.connect { core in
      try core.greet()
      let opened: FakeCore.Heard<NewContext> = try core.hear()
      try core.say(busy, to: opened.request)
    }
    #expect(throws: busy) { _ = try connection.openContext() }
  }
}
