import TerminalPrompts
import TerminalScripts
import Testing
import Wire

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
    // The echo is off from the moment the question is asked, so the script may begin then.
    let mode = SilentMode(terminal.near)
    terminal.type("aü\u{7F}bx\u{15}ann\u{7F}\n")
    let secret = try terminal.near.askSecret("Secret: ", output, interrupts)
    let isRight = equals(secret, "an")
    #expect(isRight)
    #expect(terminal.shown(until: "\r\n") == "Secret: \r\n")
    _ = consume mode
  }

  @Test("Escape and the end of the terminal cancel", arguments: ["\u{1B}", "\u{4}"])
  func cancelled(key: String) throws {
    let mode = SilentMode(terminal.near)
    terminal.type(key)
    let failure = #expect(throws: Failure.self) {
      _ = try terminal.near.askSecret("Secret: ", output, interrupts)
    }
    #expect(failure?.code == .userCancel)
    _ = consume mode
  }

  @Test("Ctrl-C interrupts, and the terminal is as before")
  func interrupted() throws {
    do {
      let mode = SilentMode(terminal.near)
      terminal.type("abc\u{3}")
      let failure = #expect(throws: Failure.self) {
        _ = try terminal.near.askSecret("Secret: ", output, interrupts)
      }
      #expect(failure?.code == .appCancel)
      _ = consume mode
    }
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
    let mode = SilentMode(terminal.near)
    terminal.type("\n")
    terminal.type("one\n")
    terminal.type("two\n")
    terminal.type("one\n")
    terminal.type("one\n")
    let secret = try terminal.near.askNewSecret("New: ", again: "Again: ", output, interrupts)
    let isRight = equals(secret, "one")
    #expect(isRight)
    _ = consume mode
  }

  @Test("an answer that may be seen is a line")
  func answer() throws {
    terminal.type("remove\n")
    #expect(try terminal.near.ask("? ", output, interrupts) == "remove")
  }
}
