import CoreClient
import Protocol
import TestSupport
import Testing

@testable import authcore

@Suite("The agent on its terminal", .serialized, .timeLimit(.minutes(15)))
struct CommandAgentTests {
  private let terminal: PseudoTerminal
  private let interrupts = Interrupts(isJSON: false)
  private let conversation = RecordedConversation()

  init() throws { terminal = try PseudoTerminal() }

  private func agent(given: GivenPasscode? = nil) throws -> TerminalAgent {
    let output = Output(isJSON: true, look: .dumb)
    output.isQuiet = true
    return try TerminalAgent(
      on: terminal.near, PromptScreen(output, on: terminal.near), of: interrupts,
      given: GivenAnswers(passcode: given))
  }

  private func prompt(touch: Bool, number: UInt32 = 1) -> Prompt {
    Prompt(
      prompt: number, awaitsTouch: touch, fallback: .passcode, fallbackTitle: nil, cancelTitle: nil,
      reason: "", refusedPasscodes: 0)
  }

  private func type(_ text: String, _ agent: TerminalAgent) throws {
    terminal.type(text)
    while terminal.hasInput {
      try agent.descriptorIsReady(terminal.near.descriptor, in: conversation)
    }
  }

  @Test("the passcode typed while a touch is awaited is the answer, unseen and whole")
  func typed() throws {
    let agent = try agent()
    try agent.show(prompt(touch: true), in: conversation)
    #expect(conversation.answers == ["1 shown"])
    #expect(agent.watchedDescriptors.contains(terminal.near.descriptor))
    try type("pä", agent)
    try type("ss\u{7F}s\n", agent)
    #expect(conversation.answers == ["1 shown", "1 passcode päss"])
    #expect(terminal.shown(until: "Passcode: ").hasSuffix("cancel]\r\nPasscode: "))
    agent.requestEnded()
    #expect(terminal.isAsBefore)
    #expect(agent.watchedDescriptors == [interrupts.descriptor])
  }

  @Test("Escape cancels the prompt that is on view")
  func escape() throws {
    let agent = try agent()
    try agent.show(prompt(touch: true), in: conversation)
    try agent.show(prompt(touch: false, number: 2), in: conversation)
    try type("\u{1B}", agent)
    #expect(conversation.answers.last == "2 cancel")
    agent.requestEnded()
  }

  @Test("Ctrl-C ends the request, not only the prompt")
  func interrupt() throws {
    let agent = try agent()
    try agent.show(prompt(touch: true), in: conversation)
    try type("\u{3}", agent)
    #expect(conversation.wasCancelled)
    #expect(interrupts.caught == 2)
    agent.requestEnded()
    #expect(terminal.isAsBefore)
  }

  @Test("a passcode that was given is not asked for, and a second prompt has no answer")
  func given() throws {
    let passcode = GivenPasscode(SecretBytes(copying: Array("p".utf8).span), interrupts)
    let agent = try agent(given: passcode)
    try agent.show(prompt(touch: false), in: conversation)
    try agent.show(prompt(touch: false, number: 2), in: conversation)
    #expect(conversation.answers == ["1 passcode p", "2 noPasscode"])
    #expect(terminal.isAsBefore)
    agent.requestEnded()
  }

  @Test("a request that takes more than a second says that it works")
  func working() throws {
    let screen = PromptScreen(
      Output(isJSON: true, look: .plain, letters: .all), on: terminal.near)
    let agent = try TerminalAgent(on: terminal.near, screen, of: interrupts)
    try agent.requestBegins()
    #expect(agent.wakesAt.map { $0 > .now } == true)
    agent.timePassed()
    #expect(terminal.shown(until: "\u{1B}[J").contains("Working…") && agent.wakesAt == nil)
    agent.requestEnded()
  }
}
