import Foundation
import Glibc
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import CoreClient

@Suite("The agent of an application", .serialized, .timeLimit(.minutes(60)))
struct TerminalAgentTests {
  private let terminal: PseudoTerminal
  private let cancellation = CancellationSignal()
  private let conversation = RecordedConversation()

  init() throws { terminal = try PseudoTerminal() }

  private func agent(
    _ place: TerminalSituation.Place = .foreground,
    look: Display.Look = .dumb
  ) throws -> TerminalAgent {
    try TerminalAgent(
      of: place == .noTerminal ? nil : terminal.near, TerminalSituation(place, isRemote: false),
      look: look, letters: .all, cancelledBy: cancellation)
  }

  private func begin(_ agent: TerminalAgent, _ prompt: Prompt) throws {
    try agent.requestBegins()
    try agent.show(prompt, in: conversation)
  }

  private func prompt(
    touch: Bool, of name: String = "Chores", reason: String = "Add a chore", number: UInt32 = 1
  ) -> Prompt {
    Prompt(
      prompt: number, awaitsTouch: touch, fallback: .passcode, fallbackTitle: nil, cancelTitle: nil,
      reason: reason, refusedPasscodes: 0, application: "/home/ann/chores", claimedName: name)
  }

  private func type(_ text: String, _ agent: TerminalAgent) throws {
    terminal.type(text)
    while terminal.hasInput {
      try agent.descriptorIsReady(terminal.near.descriptor, in: conversation)
    }
  }

  @Test("says which application asks, and answers with what is typed")
  func asks() throws {
    let agent = try agent()
    try begin(agent, prompt(touch: true))
    #expect(
      terminal.shown(until: "cancel]\r\n")
        == "A program calling itself “Chores” (/home/ann/chores) wants you to confirm that it is you.\r\n"
        + "It says: “Add a chore”\r\n"
        + "Touch the reader.  [or type the passcode, Esc: cancel]\r\n")
    try type("pass\n", agent)
    #expect(conversation.answers == ["1 shown", "1 passcode pass"])
    agent.requestEnded()
    #expect(terminal.isAsBefore)
  }

  @Test(
    "FINDINGS B4: what was typed before a prompt is not taken for its passcode",
    arguments: [true, false])
  func typedBefore(touch: Bool) throws {
    terminal.type("ls -l\ntop")
    _ = terminal.shown(until: "top")
    let agent = try agent()
    try begin(agent, prompt(touch: touch))
    #expect(!terminal.hasInput)
    try type("wrong\nls -l\n", agent)
    #expect(conversation.answers == ["1 shown", "1 passcode wrong"])
    terminal.type("ls\n")
    try #require(terminal.hasInput)
    try agent.show(prompt(touch: touch, number: 2), in: conversation)
    try type("right\n", agent)
    #expect(conversation.answers.suffix(2) == ["2 shown", "2 passcode right"])
    agent.requestEnded()
    #expect(terminal.isAsBefore)
  }

  @Test(
    "a passcode that is pasted in brackets is taken whole, however long it is",
    arguments: [1, 7, 8, 9, 10, 11, 14, 40])
  func pasted(count: Int) throws {
    let agent = try agent()
    try begin(agent, prompt(touch: false))
    let passcode = String(repeating: "x", count: count)
    try type("\u{1B}[200~\(passcode)\u{1B}[201~\n", agent)
    #expect(conversation.answers == ["1 shown", "1 passcode \(passcode)"])
    agent.requestEnded()
  }

  @Test("names and reasons that would command the terminal are shown and not obeyed")
  func hostileText() throws {
    let agent = try agent(look: .plain)
    let name = "Chores\u{1B}[2J\u{1B}]52;c;AAAA\u{7}" + String(repeating: "x", count: 9000)
    try begin(
      agent,
      prompt(
        touch: false, of: name, reason: "Add\r\u{1B}[1;1H\u{202E}\u{9B}31m a chore\n\u{8}"))
    let shown = terminal.shown(until: "Passcode: \u{1B}[J")
    let (headline, rest) = (shown.prefix { $0 != "\r\n" }, shown.drop { $0 != "\r\n" }.dropFirst())
    #expect(headline.hasSuffix("…” (/home/ann/chores) wants you to confirm that it is you."))
    #expect(headline.count < 140)
    let reason = rest.prefix { $0 != "\r\n" }
    #expect(!reason.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "\(shown)")
    #expect(!reason.unicodeScalars.contains { 0x80..<0xA0 ~= $0.value }, "\(shown)")
    #expect(
      reason == "It says: “Add\u{FFFD}\u{FFFD}[1;1H\u{FFFD}\u{FFFD}31m a chore\u{FFFD}\u{FFFD}”")
    agent.requestEnded()
  }

  @Test("another thread cancels the request, once, and the terminal is as before")
  func cancelled() throws {
    let agent = try agent()
    try begin(agent, prompt(touch: true))
    #expect(!terminal.isAsBefore)
    let cancellation = cancellation
    SystemThread.start(name: "canceller") { cancellation.cancel() }
    var polled = agent.watchedDescriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    try #require(unsafe poll(&polled, nfds_t(polled.count), 60_000) == 1)
    let ready = try #require(polled.first { $0.revents != 0 })
    try agent.descriptorIsReady(ready.fd, in: conversation)
    #expect(conversation.wasCancelled)
    #expect(agent.watchedDescriptors == [terminal.near.descriptor])
    agent.requestEnded()
    #expect(terminal.isAsBefore)
    #expect(throws: Failure.self) { try agent.requestBegins() }
  }

  @Test("a terminal that disappears ends the request")
  func hangUp() throws {
    let agent = try agent()
    try begin(agent, prompt(touch: true))
    terminal.type("half a pass")
    terminal.hangUp()
    while !conversation.wasCancelled {
      try agent.descriptorIsReady(terminal.near.descriptor, in: conversation)
    }
    #expect(agent.watchedDescriptors.count == 1)
    agent.requestEnded()
    #expect(conversation.answers == ["1 shown"])
  }

  @Test(
    "without a terminal, and in its background, nobody can give a passcode and nothing is shown",
    arguments: [TerminalSituation.Place.noTerminal, .background])
  func nobody(place: TerminalSituation.Place) throws {
    let agent = try agent(place)
    try begin(agent, prompt(touch: false))
    try agent.show(prompt(touch: true, number: 2), in: conversation)
    agent.tell(.missed(left: 2))
    #expect(conversation.answers == ["1 noPasscode", "2 shown"])
    #expect(terminal.isAsBefore)
    cancellation.cancel()
    let watched = try #require(agent.watchedDescriptors.first)
    try agent.descriptorIsReady(watched, in: conversation)
    #expect(conversation.wasCancelled)
    agent.requestEnded()
    terminal.type("x")
    // The terminal first shows the echo of that.
    #expect(terminal.shown(until: "x") == "x")
  }

  @Test("FINDINGS A1: where another program reads, a touch is announced, and no key is read")
  func shared() throws {
    let agent = try agent(.shared, look: .colored)
    try begin(agent, prompt(touch: true))
    #expect(terminal.shown(until: "reader.\r\n").hasSuffix("\r\nTouch the reader.\r\n"))
    #expect(terminal.isAsBefore)
    #expect(!agent.watchedDescriptors.contains(terminal.near.descriptor))
    try agent.show(prompt(touch: false, number: 2), in: conversation)
    #expect(conversation.answers == ["1 shown", "2 noPasscode"])
    agent.requestEnded()
  }

  @Test(
    "input longer than any passcode is not sent, and the prompt asks again",
    arguments: [true, false])
  func tooLong(touch: Bool) throws {
    let agent = try agent()
    try begin(agent, prompt(touch: touch))
    for _ in 0..<3 { try type(String(repeating: "x", count: 400), agent) }
    try type("\n", agent)
    #expect(conversation.answers == ["1 shown"])
    try type("right\n", agent)
    #expect(conversation.answers == ["1 shown", "1 passcode right"])
    agent.requestEnded()
    #expect(terminal.isAsBefore)
  }

  @Test("input that is too long is reported")
  func saidTooLong() throws {
    let agent = try agent(look: .plain)
    try begin(agent, prompt(touch: false))
    _ = terminal.shown(until: "Passcode: \u{1B}[J")
    for _ in 0..<3 { try type(String(repeating: "x", count: 400), agent) }
    try type("\n", agent)
    let shown = terminal.shown(until: "Passcode: \u{1B}[J")
    #expect(shown.contains("That is longer than any passcode.  Passcode: "))
    agent.requestEnded()
  }

  @Test(
    "the terminal is as before, however the request ends",
    arguments: ["", "half", "\u{1B}", "\u{4}", "a\u{8}", "pass\n"])
  func restored(typed: String) throws {
    let agent = try agent()
    try begin(agent, prompt(touch: true))
    try type(typed, agent)
    #expect(!terminal.isAsBefore)
    agent.requestEnded()
    #expect(terminal.isAsBefore)
    #expect(agent.watchedDescriptors.count == 1)
  }
}

@Suite("Whose touch may be awaited")
struct TerminalSituationTests {
  @Test(
    "decision 0035: a person's at a terminal, nobody's in its background, what is played elsewhere",
    arguments: [
      (.foreground, false, false, .person), (.foreground, false, true, .person),
      (.foreground, true, false, .played), (.foreground, true, true, .played),
      (.shared, false, false, .person), (.shared, true, false, .played),
      (.background, false, false, .none), (.background, false, true, .none),
      (.background, true, true, .none), (.noTerminal, false, false, .played),
      (.noTerminal, false, true, .unattended), (.noTerminal, true, false, .played),
      (.noTerminal, true, true, .played),
    ] as [(TerminalSituation.Place, Bool, Bool, AwaitedTouch)])
  func rule(
    place: TerminalSituation.Place, isRemote: Bool, isUnattended: Bool, touch: AwaitedTouch
  ) {
    let situation = TerminalSituation(place, isRemote: isRemote)
    #expect(situation.awaitedTouch(isUnattended: isUnattended) == touch)
    #expect(situation.takesKeys == (place == .foreground))
    #expect(situation.showsPrompts == [.foreground, .shared].contains(place))
  }

  @Test("another process's terminal is not used")
  func anothersTerminal() throws {
    #expect(TerminalSituation(of: try PseudoTerminal().near).place == .background)
    #expect(TerminalSituation(of: nil).place == .noTerminal)
  }

  @Test(
    "SSH is what sshd says",
    arguments: [
      ([:], false), (["SSH_CONNECTION": "a b c d"], true), (["SSH_TTY": "/dev/pts/1"], true),
      (["SSH_CONNECTION": "", "SSH_TTY": ""], false),
    ] as [([String: String], Bool)])
  func remote(environment: [String: String], isRemote: Bool) throws {
    #expect(RemoteLogin.isUsed { environment[$0] } == isRemote)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["600"]
    process.environment = environment
    try process.run()
    // Until it has begun the program it has the environment of this process.
    let isSeen = eventually { RemoteLogin.isUsed(by: process.processIdentifier) == isRemote }
    #expect(isSeen)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
