import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Agents that show prompts for others")
struct AgentTests {
  /// As a program without a terminal asks.
  private let owner = Evaluate(
    policy: .owner,
    options: .test(touch: .played, canGivePasscode: false, applicationName: "Chores"))
  private typealias Agent = (client: FakeClient, request: UInt32)

  private func answer(
    _ agent: Agent, _ prompt: Prompt, _ kind: PromptAnswer.Kind, _ passcode: String = ""
  ) throws {
    try agent.client.answer(prompt, kind, passcode, request: agent.request)
  }

  @Test("L5: an agent is asked where the client cannot, and is told who asks, why and what happens")
  func touch() throws {
    let test = TestCore([.dry, .match])
    let agent = try test.agent()
    let client = try test.clientWithSensor()
    try client.send(owner)
    let prompt = try agent.client.receive(Prompt.self, request: agent.request)
    #expect(prompt.awaitsTouch && prompt.fallback == .passcode && prompt.reason == "to test")
    #expect(prompt.claimedName == "Chores")
    #expect(prompt.application == test.core.agents.newestFirst.first?.link.application)
    #expect(test.driver.captures == 0)
    try answer(agent, prompt, .shown)
    #expect(try client.receive(Evaluated.self).evidence == .biometry)
    let (end, progress) = try agent.client.receiveAfterProgress(AgentPromptEnded.self)
    #expect(end == AgentPromptEnded(prompt: prompt.prompt, outcome: .proved))
    #expect(
      progress == [.awaitingTouch, .retry(reason: 2), .awaitingTouch, .matched(finger: "thumb")])
  }

  @Test("A6: an agent lets a request await a touch of a real reader, which no terminal shows")
  func mayTouch() throws {
    let test = TestCore([.match])
    let agent = try test.agent()
    let client = try test.clientWithSensor()
    try client.send(
      Evaluate(
        policy: .biometrics,
        options: .test(mayPrompt: false, touch: .none, canGivePasscode: false)))
    let prompt = try agent.client.receive(Prompt.self)
    try answer(agent, prompt, .shown)
    #expect(try client.receive(Evaluated.self).evidence == .biometry)
  }

  @Test("L5: a passcode given while a touch is awaited wins, and a wrong one asks again")
  func passcode() throws {
    let test = TestCore([.wait])
    let agent = try test.agent()
    let client = try test.clientWithSensor()
    try client.send(owner)
    let prompt = try agent.client.receive(Prompt.self)
    try answer(agent, prompt, .shown)
    test.driver.waitForCapture()
    try answer(agent, prompt, .passcode, "wrong")
    let second = try agent.client.receiveAfterProgress(Prompt.self).value
    #expect(second.refusedPasscodes == 1 && second.prompt != prompt.prompt)
    #expect(!second.awaitsTouch)
    try answer(agent, second, .shown)
    try answer(agent, second, .passcode, "1234")
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
    #expect(try agent.client.receiveAfterProgress(AgentPromptEnded.self).value.outcome == .proved)
  }

  @Test(
    "a request that must not prompt, or that nobody is to see, reaches no agent",
    arguments: [
      PromptOptions.test(touch: .played, canGivePasscode: false, mayUseAgent: false),
      .test(touch: .unattended, canGivePasscode: false),
    ])
  func ownClient(options: PromptOptions) throws {
    let test = TestCore([.match])
    try expectOwnPrompt(options, test, try test.clientWithSensor())
  }

  private func expectOwnPrompt(
    _ options: PromptOptions, _ test: TestCore, _ client: FakeClient
  ) throws {
    let agent = try test.agent()
    let id = try client.send(Evaluate(policy: .owner, options: options))
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
    try agent.client.send(Cancel(), request: agent.request)
    #expect(try agent.client.receiveFailure() == .appCancel)
  }

  /// Every client is the command.
  private struct Commands: ApplicationNaming {
    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      NamedClient(application: commandApplication, isAgentProgram: true)
    }
  }

  @Test(
    "a command that a person typed asks on its terminal, which it reads alone",
    arguments: [PromptOptions.test(touch: .played), .test(touch: .person)])
  func typedCommand(options: PromptOptions) throws {
    let test = TestCore(naming: Commands())
    try expectOwnPrompt(options, test, try test.greetedClient())
  }

  @Test(
    "FINDINGS A1: a program's prompt comes in the window, and on its terminal only without one",
    arguments: [
      PromptOptions.test(touch: .person), .test(touch: .person, canGivePasscode: false),
      .test(touch: .played),
    ])
  func windowFirst(options: PromptOptions) throws {
    let test = TestCore([.match])
    let client = try test.clientWithSensor()
    let own = try client.send(Evaluate(policy: .owner, options: options))
    try client.answer(try client.receive(Prompt.self), .cancel, request: own)
    #expect(try client.receiveFailure() == .userCancel)
    try expectWindow(options, test, client)
  }

  @Test(
    "FINDINGS A1: the window asks for the command behind another reader, and for a helper of Git",
    arguments: [PromptOptions.test(canGivePasscode: false), .test(applicationName: "Git")])
  func sharedTerminal(options: PromptOptions) throws {
    let test = TestCore(naming: Commands())
    try expectWindow(options, test, try test.greetedClient())
  }

  private func expectWindow(
    _ options: PromptOptions, _ test: TestCore, _ client: FakeClient
  ) throws {
    let agent = try test.agent()
    try client.send(Evaluate(policy: .owner, options: options))
    try answer(agent, try agent.client.receive(Prompt.self), .cancel)
    #expect(try client.receiveFailure() == .userCancel)
  }

  @Test("K2: only the agent beside the core serves; any other program is refused")
  func stranger() throws {
    let test = TestCore(agentProgram: Array("/usr/bin/true".utf8))
    let client = try test.greetedClient()
    try client.send(BecomeAgent())
    #expect(try client.receiveFailure() == .errSecMissingEntitlement)
    #expect(test.core.agents.count == 0)
  }

  @Test("prompts of several clients come one at a time, in the order they were wanted")
  func queue() throws {
    let test = TestCore()
    let agent = try test.agent()
    let clients = try (0..<3).map { _ in try test.greetedClient() }
    for (index, client) in clients.enumerated() {
      let options = PromptOptions.test(reason: "\(index)", touch: .played, canGivePasscode: false)
      try client.send(Evaluate(policy: .owner, options: options))
      if index == 0 { test.core.agents.waitForView() }
      test.core.agents.waitForQueue(index)
    }
    for (index, client) in clients.enumerated() {
      let prompt = try agent.client.receive(Prompt.self)
      #expect(prompt.reason == "\(index)" && !prompt.awaitsTouch)
      try answer(agent, prompt, .passcode, "1234")
      #expect(try client.receive(Evaluated.self).evidence == .passcode)
      #expect(try agent.client.receive(AgentPromptEnded.self).outcome == .proved)
    }
  }

  @Test("a request that is cancelled while it waits for its turn never reaches the person")
  func cancelInQueue() throws {
    let test = TestCore()
    let agent = try test.agent()
    let (first, second) = (try test.greetedClient(), try test.greetedClient())
    try first.send(owner)
    let prompt = try agent.client.receive(Prompt.self)
    let id = try second.send(owner)
    test.core.agents.waitForQueue(1)
    try second.send(Cancel(), request: id)
    #expect(try second.receiveFailure() == .appCancel)
    try answer(agent, prompt, .cancel)
    #expect(try first.receiveFailure() == .userCancel)
    #expect(try agent.client.receive(AgentPromptEnded.self).outcome == .withdrawn)
    try agent.client.send(Cancel(), request: agent.request)
    #expect(try agent.client.receiveFailure() == .appCancel, "nothing came in between")
  }

  @Test("a queue that is full refuses more, and a client that leaves makes room")
  func fullQueue() throws {
    let test = TestCore { $0.waitingPrompts = 1 }
    let agent = try test.agent()
    let clients = try (0..<3).map { _ in try test.greetedClient() }
    try clients[0].send(owner)
    let prompt = try agent.client.receive(Prompt.self)
    let id = try clients[1].send(owner)
    test.core.agents.waitForQueue(1)
    try clients[2].send(owner)
    #expect(try clients[2].receiveFailure() == .busy)
    try clients[1].send(Cancel(), request: id)
    #expect(try clients[1].receiveFailure() == .appCancel)
    try clients[2].send(owner)
    test.core.agents.waitForQueue(1)
    try answer(agent, prompt, .cancel)
    #expect(try clients[0].receiveFailure() == .userCancel)
    _ = try agent.client.receive(AgentPromptEnded.self)
    #expect(try agent.client.receive(Prompt.self).prompt > prompt.prompt)
  }

  @Test("ten thousand requests wait for their turn, each gets it once, and most are refused")
  func manyWaiting() throws {
    var limits = CoreLimits()
    limits.waitingPrompts = 64
    let agents = PromptAgents(limits)
    let test = TestCore()
    let client = try test.agent()
    // An agent whose connection ends is one no more.
    defer { withExtendedLifetime(client) {} }
    let agent = try #require(test.core.agents.newestFirst.first)
    try agents.add(agent)
    let outcomes = Guarded<(turns: Int, refusals: Int)>((0, 0))
    let holder = RequestInbox()
    try agents.begin(holder, with: agent)
    for _ in 0..<64 {
      SystemThread.start(name: "waiter") {
        let inbox = RequestInbox()
        let isMine = (try? agents.begin(inbox, with: agent)) != nil
        outcomes.update { $0.turns += isMine ? 1 : 0 }
        agents.end(inbox)
      }
    }
    agents.waitForQueue(64)
    for _ in 0..<10_000 {
      let refusal = #expect(throws: Failure.self) {
        try agents.begin(RequestInbox(), with: agent)
      }
      #expect(refusal?.code == .busy)
    }
    agents.end(holder)
    outcomes.wait { $0.turns == 64 ? () : nil }
  }

  /// What an agent does instead of showing what it is sent.
  enum Misdeed: CaseIterable, Sendable {
    case hangs
    case leaves
    case resigns
    case answersAnotherPrompt
    case floods
    case sendsGarbage
  }

  @Test(
    "an agent that lies, hangs, dies or floods: the request ends as if there had been none",
    arguments: Misdeed.allCases)
  func misdeeds(misdeed: Misdeed) throws {
    let test = TestCore([.match]) { $0.agentShowMilliseconds = 200 }
    var agent: Agent? = try test.agent()
    let client = try test.clientWithSensor()
    try client.send(
      Evaluate(
        policy: .owner,
        options: .test(mayPrompt: false, touch: .none, canGivePasscode: false)))
    try misbehave(misdeed, &agent)
    #expect(try client.receiveFailure() == .notInteractive)
    #expect(test.driver.captures == 0)
    #expect(test.core.agents.count == 0)
  }

  private func misbehave(_ misdeed: Misdeed, _ agent: inout Agent?) throws {
    guard let (client, request) = agent else { return }
    let prompt = try client.receive(Prompt.self)
    switch misdeed {
    case .hangs: break
    case .leaves: agent = nil
    case .resigns: try client.send(Cancel(), request: request)
    case .answersAnotherPrompt:
      try client.send(PromptAnswer(prompt: prompt.prompt + 1, kind: .shown), request: request)
    case .floods:
      do {
        for _ in 0..<10_000 { try client.answer(prompt, .noPasscode, request: request + 1) }
        for _ in 0..<100 {
          try client.send(PromptAnswer(prompt: prompt.prompt + 1, kind: .cancel), request: request)
        }
      } catch is StreamError {
        // The core hung up in the middle of it.
      }
    case .sendsGarbage: try client.send(raw: [200, 1, 2, 3, 4, 5])
    }
  }

  @Test("a passcode prompt that the agent shows and then leaves goes to the next agent")
  func nextAgent() throws {
    let test = TestCore()
    let patient = try test.agent()
    var leaving: Agent? = try test.agent()
    let client = try test.greetedClient()
    try client.send(owner)
    let first = try #require(try leaving?.client.receive(Prompt.self))
    if let leaving { try answer(leaving, first, .shown) }
    leaving = nil
    let second = try patient.client.receive(Prompt.self)
    try answer(patient, second, .passcode, "1234")
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
  }

  @Test("a client cannot answer the prompt that an agent was sent")
  func clientAnswers() throws {
    let test = TestCore([.match])
    let agent = try test.agent()
    let client = try test.clientWithSensor()
    let id = try client.send(owner)
    let prompt = try agent.client.receive(Prompt.self)
    for number in 0...prompt.prompt + 1 {
      try client.send(PromptAnswer(prompt: number, kind: .shown), request: id)
      try client.send(PromptAnswer(prompt: number, kind: .fallback), request: id)
    }
    try answer(agent, prompt, .cancel)
    #expect(try client.receiveFailure() == .userCancel)
    #expect(test.driver.captures == 0)
  }

  @Test("an agent's late answer to a prompt that is over changes nothing")
  func lateAnswer() throws {
    let test = TestCore()
    let agent = try test.agent()
    let client = try test.greetedClient()
    let id = try client.send(owner)
    let first = try agent.client.receive(Prompt.self)
    try client.send(Cancel(), request: id)
    #expect(try client.receiveFailure() == .appCancel)
    #expect(try agent.client.receive(AgentPromptEnded.self).outcome == .withdrawn)
    try client.send(owner)
    let second = try agent.client.receive(Prompt.self)
    try answer(agent, first, .cancel)
    try answer(agent, second, .passcode, "1234")
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
  }

  @Test("an agent keeps no core alive that nobody else wants")
  func idleCore() throws {
    let test = TestCore()
    let agent = try test.agent()
    #expect(!test.core.activity.hasClients)
    let client = try test.greetedClient()
    #expect(test.core.activity.hasClients)
    withExtendedLifetime((agent, client)) {}
  }

  @Test("the end of the core ends the agent's request, too")
  func coreEnds() throws {
    let test = TestCore()
    let agent = try test.agent()
    test.core.end()
    #expect(try agent.client.receiveFailure() == .systemCancel)
  }

  @Test("a ninth agent of a user is refused")
  func tooMany() throws {
    let test = TestCore()
    let agents = try (0..<8).map { _ in try test.agent() }
    let ninth = try test.greetedClient()
    try ninth.send(BecomeAgent())
    #expect(try ninth.receiveFailure() == .busy)
    withExtendedLifetime(agents) {}
  }

  @Test("a core that has just started waits for an agent that is known to be there")
  func arrival() throws {
    try withTemporaryFolder { folder in
      let file = unsafe open(folder + "/agent.lock", O_RDWR | O_CREAT, 0o600)
      defer { close(file) }
      #expect(flock(file, LOCK_SH) == 0)
      let test = TestCore(home: folder)
      let client = try test.greetedClient()
      try client.send(owner)
      let agent = try test.agent()
      let prompt = try agent.client.receive(Prompt.self)
      try answer(agent, prompt, .passcode, "1234")
      #expect(try client.receive(Evaluated.self).evidence == .passcode)
    }
  }
}
