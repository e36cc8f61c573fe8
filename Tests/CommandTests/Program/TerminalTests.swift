import CoreClient
import Protocol
import TestSupport
import Testing

@testable import authcore

@Suite("Asking on a terminal", .serialized, .timeLimit(.minutes(15)))
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

  @Test("FINDINGS B4: what was typed before a question answers none, be it a secret or not")
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

  @Test("a terminal shows again what is typed once nobody asks for a secret")
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

  @Test("an answer that may be seen is a line")
  func answer() throws {
    terminal.type("remove\n", onceAsked: "? ")
    #expect(try terminal.near.ask("? ", output, interrupts) == "remove")
  }
}
