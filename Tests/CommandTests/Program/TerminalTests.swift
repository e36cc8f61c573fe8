import CoreClient
import Protocol
import TestSupport
import Testing

@testable import authcore

@Suite("Asking on a terminal", .serialized, .timeLimit(.minutes(60)))
struct TerminalTests {
  private let terminal: PseudoTerminal
  private let output = Output(isJSON: false, look: .dumb)
  private let interrupts = Interrupts(isJSON: false)

  init() throws {
    terminal = try PseudoTerminal()
    output.isQuiet = true
  }

  private func equals(_ secret: borrowing SecretBytes, _ text: String) -> Bool {
    secret.isEqual(to: Array(text.utf8).span)
  }

  @Test("a secret is typed unseen, corrected, and the terminal is as before afterwards")
  func secret() throws {
    terminal.type("aü\u{7F}bx\u{15}ann\u{7F}\n", onceAsked: "Secret: ")
    let secret = try terminal.near.askSecret("Secret: ", output, interrupts)
    let isRight = equals(secret, "an")
    #expect(isRight)
    #expect(terminal.shown(until: "\r\n") == "\r\n")
    #expect(terminal.isAsBefore)
  }

  @Test("FINDINGS B4: keys that were typed before a question do not answer it")
  func typedBefore() throws {
    terminal.type("ls -l\ntop")
    _ = terminal.shown(until: "top")
    terminal.type("right\n", onceAsked: "Secret: ")
    let secret = try terminal.near.askSecret("Secret: ", output, interrupts)
    let isRight = equals(secret, "right")
    #expect(isRight)
    terminal.type("remove\n")
    _ = terminal.shown(until: "remove\r\n")
    terminal.type("no\n", onceAsked: "Really? ")
    #expect(try terminal.near.ask("Really? ", output, interrupts) == "no")
  }

  @Test("Escape and the end of the terminal cancel", arguments: ["\u{1B}", "\u{4}"])
  func cancelled(key: String) throws {
    terminal.type(key, onceAsked: "Secret: ")
    let failure = #expect(throws: Failure.self) {
      _ = try terminal.near.askSecret("Secret: ", output, interrupts)
    }
    #expect(failure?.code == .userCancel)
  }

  @Test("Ctrl-C interrupts, and the terminal is as before")
  func interrupted() throws {
    terminal.type("abc\u{3}", onceAsked: "Secret: ")
    let failure = #expect(throws: Failure.self) {
      _ = try terminal.near.askSecret("Secret: ", output, interrupts)
    }
    #expect(failure?.code == .appCancel)
    #expect(interrupts.caught == 2)
    #expect(terminal.isAsBefore)
  }

  @Test("a terminal echoes again after a secret was asked for")
  func restored() {
    do {
      let mode = SilentMode(terminal.near)
      #expect(!terminal.isAsBefore)
      _ = consume mode
    }
    #expect(terminal.isAsBefore)
  }

  @Test("a new secret has to be typed twice, and cannot be empty")
  func twice() throws {
    terminal.type("\none\ntwo\none\none\n", onceAsked: "New: ")
    let secret = try terminal.near.askNewSecret("New: ", again: "Again: ", output, interrupts)
    let isRight = equals(secret, "one")
    #expect(isRight)
  }

  @Test("a visible answer is a line")
  func answer() throws {
    terminal.type("remove\n", onceAsked: "? ")
    #expect(try terminal.near.ask("? ", output, interrupts) == "remove")
  }
}

@Suite("The agent on its terminal", .serialized, .timeLimit(.minutes(60)))
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

  @Test("a given passcode is not asked for, and a second prompt gets no answer")
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
