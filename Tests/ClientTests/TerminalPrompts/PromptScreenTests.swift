import CoreClient
import Protocol
import TestSupport
import Testing

@Suite("What a person sees of a prompt", .serialized, .timeLimit(.minutes(15)))
struct PromptScreenTests {
  private let terminal: PseudoTerminal
  private let screen: PromptScreen

  init() throws {
    terminal = try PseudoTerminal()
    screen = PromptScreen(on: Display(terminal.near.descriptor, .plain, .all), .terminal)
  }

  private func prompt(
    touch: Bool, fallback: PromptFallback = .passcode, title: String? = nil, refused: UInt32 = 0
  ) -> Prompt {
    Prompt(
      prompt: 1, awaitsTouch: touch, fallback: fallback, fallbackTitle: title, cancelTitle: nil,
      reason: "", refusedPasscodes: refused)
  }

  /// What the area holds after it was drawn once more: the end of it is what erases the rest.
  private func drawn() -> String { terminal.shown(until: "\u{1B}[J") }

  @Test("that a passcode was wrong is not said of a touch")
  func remarks() {
    screen.show(.passcode(prompt(touch: false, refused: 1)))
    #expect(drawn().contains("That is not the passcode.  Passcode: "))
    screen.show(.touch(prompt(touch: true, refused: 1)))
    let touch = drawn()
    #expect(touch.contains("Touch the reader.") && !touch.contains("That is not"))
    screen.tell(.missed(left: 1))
    #expect(drawn().contains("Not recognized; 1 more try.  Touch the reader."))
  }

  @Test("a prompt offers what its policy takes, and calls it as the program does")
  func offers() {
    screen.show(.touch(prompt(touch: true)))
    #expect(drawn().contains("[or type the passcode, Esc: cancel]"))
    screen.show(.touch(prompt(touch: true, fallback: .application)))
    #expect(drawn().contains("[Enter: another way, Esc: cancel]"))
    screen.show(.touch(prompt(touch: true, fallback: .application, title: "Ask Ann")))
    #expect(drawn().contains("[Enter: Ask Ann, Esc: cancel]"))
    screen.show(.touch(prompt(touch: true, fallback: .hidden)))
    #expect(drawn().contains("Touch the reader.  [Esc: cancel]"))
  }

  @Test("the finger of an enrollment fills in place, above the bar")
  func enrollment() {
    screen.show(.touch(prompt(touch: true, fallback: .hidden)))
    _ = drawn()
    for touches in 1...2 as ClosedRange<UInt32> {
      let picture = CoveragePicture(
        columns: 2, times: [1, UInt8(touches) - 1, 1, 0], clarity: [9, 9, 9, 9])
      screen.tell(
        .taken(
          TakenTouch(
            touches: touches, coverage: 0.25 * Double(touches), isComplete: false, advice: nil,
            picture: picture)))
      let area = drawn()
      #expect(area.contains(touches == 1 ? "█ \u{1B}[K" : "█▀\u{1B}[K"))
      #expect(area.contains(" \(25 * touches) %  Good. Lift the finger and touch again."))
    }
  }
}
