import CoreClient
import Protocol
import Testing

@Suite("Answering prompts")
struct PromptMachineTests {
  private func prompt(
    touch: Bool, fallback: PromptFallback = .passcode, number: UInt32 = 1
  ) -> Prompt {
    Prompt(
      prompt: number, awaitsTouch: touch, fallback: fallback, fallbackTitle: nil, cancelTitle: nil,
      reason: "r", refusedPasscodes: 0)
  }

  private func machine(
    _ answer: PromptMachine.GivenAnswer? = nil, passcode: Bool = false, terminal: Bool = false
  ) -> PromptMachine {
    PromptMachine(.init(answer: answer, hasPasscode: passcode, hasTerminal: terminal))
  }

  @Test("a touch is awaited without input, and a passcode is not volunteered")
  func touch() {
    let prompt = prompt(touch: true)
    var plain = machine()
    #expect(plain.show(prompt) == [.show(.touch(prompt)), .answer(.shown)])
    var given = machine(passcode: true)
    #expect(given.show(prompt) == [.show(.touch(prompt)), .answer(.shown)])
  }

  @Test("a passcode that was given answers one passcode prompt of a request, not a second")
  func given() {
    var machine = machine(passcode: true, terminal: true)
    #expect(machine.show(prompt(touch: false)) == [.answerWithGiven(.passcode)])
    #expect(machine.show(prompt(touch: false, number: 2)) == [.answer(.noPasscode)])
    machine.end()
    #expect(machine.show(prompt(touch: false)) == [.answerWithGiven(.passcode)])
  }

  @Test("an application password that was given answers prompts for it, and none for the passcode")
  func givenAppPassword() {
    var machine = PromptMachine(
      .init(answer: nil, hasPasscode: false, hasAppPassword: true, hasTerminal: false))
    func prompt(_ secret: PromptedSecret, _ number: UInt32) -> Prompt {
      Prompt(
        prompt: number, awaitsTouch: false, fallback: .hidden, fallbackTitle: nil,
        cancelTitle: nil, reason: "r", refusedPasscodes: 0, secret: secret)
    }
    #expect(machine.show(prompt(.appPassword, 1)) == [.answerWithGiven(.appPassword)])
    #expect(machine.show(prompt(.passcode, 2)) == [.answer(.noPasscode)])
    #expect(machine.show(prompt(.appPassword, 3)) == [.answer(.noPasscode)])
    machine.end()
    #expect(machine.show(prompt(.appPassword, 4)) == [.answerWithGiven(.appPassword)])
  }

  @Test("without a terminal and a given passcode the answer is noPasscode")
  func nobody() {
    var machine = machine()
    #expect(machine.show(prompt(touch: false)) == [.answer(.noPasscode)])
  }

  @Test("--answer comes before anything is shown")
  func givenAnswer() {
    var cancel = machine(.cancel, passcode: true, terminal: true)
    #expect(cancel.show(prompt(touch: true)) == [.answer(.cancel)])
    #expect(cancel.show(prompt(touch: false)) == [.answer(.cancel)])
    var fallback = machine(.fallback, passcode: true)
    #expect(fallback.show(prompt(touch: true)) == [.answer(.fallback)])
    #expect(fallback.show(prompt(touch: true, fallback: .hidden)) == [.answer(.fallback)])
    #expect(fallback.show(prompt(touch: false, number: 2)) == [.answerWithGiven(.passcode)])
  }

  @Test("typing while a touch is awaited chooses the passcode")
  func typing() {
    let prompt = prompt(touch: true)
    var machine = machine(terminal: true)
    #expect(machine.show(prompt) == [.listen, .show(.touch(prompt)), .answer(.shown)])
    #expect(
      machine.type(.byte(0x61), typed: 0) == [.append(0x61), .show(.passcode(prompt))])
    #expect(machine.type(.byte(0x62), typed: 1) == [.append(0x62)])
    #expect(machine.type(.backspace, typed: 2) == [.removeLast])
    #expect(machine.type(.enter, typed: 1) == [.show(.checking), .answerWithTypedPasscode])
  }

  @Test("a prompt for the passcode is not shown again when typing begins")
  func typingPasscode() {
    var machine = machine(terminal: true)
    _ = machine.show(prompt(touch: false))
    #expect(machine.type(.byte(0x61), typed: 0) == [.append(0x61)])
  }

  @Test("removing all input returns to the touch")
  func takenBack() {
    let prompt = prompt(touch: true)
    var machine = machine(terminal: true)
    _ = machine.show(prompt)
    _ = machine.type(.byte(0x61), typed: 0)
    #expect(machine.type(.backspace, typed: 1) == [.removeLast, .show(.touch(prompt))])
    #expect(machine.type(.eraseAll, typed: 0) == [])
  }

  @Test("Enter chooses the fallback there is, and Escape cancels")
  func keys() {
    for (fallback, actions) in [
      (PromptFallback.application, [PromptMachine.Action.answer(.fallback)]),
      (.passcode, [.answer(.fallback)]), (.hidden, []),
    ] {
      var machine = machine(terminal: true)
      _ = machine.show(prompt(touch: true, fallback: fallback))
      #expect(machine.type(.enter, typed: 0) == actions)
      #expect(machine.type(.escape, typed: 0) == [.answer(.cancel)])
      #expect(machine.type(.end, typed: 0) == [.answer(.cancel)])
    }
  }

  @Test("a passcode cannot be typed if only a finger counts")
  func noTyping() {
    var machine = machine(terminal: true)
    _ = machine.show(prompt(touch: true, fallback: .application))
    #expect(machine.type(.byte(0x61), typed: 0) == [])
  }

  @Test("input for an earlier prompt is discarded")
  func forgotten() {
    let next = prompt(touch: false, number: 2)
    var machine = machine(terminal: true)
    _ = machine.show(prompt(touch: true))
    _ = machine.type(.byte(0x61), typed: 0)
    #expect(
      machine.show(next) == [.removeAll, .listen, .show(.passcode(next)), .answer(.shown)])
    machine.end()
    #expect(machine.type(.escape, typed: 0) == [])
  }
}
