import CoreClient
import Protocol
import TestSupport
import Testing

@Suite("Whose touch may be awaited")
struct TerminalSituationTests {
  @Test(
    "decision 0035: a person's at a terminal, nobody's in its background, what is played elsewhere",
    arguments: [
      (.foreground, false, false, .person), (.foreground, false, true, .person),
      (.foreground, true, false, .played), (.foreground, true, true, .played),
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
  }

  @Test("a terminal that is not this process's is none to ask on")
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
  func remote(environment: [String: String], isRemote: Bool) {
    #expect(RemoteLogin.isUsed { environment[$0] } == isRemote)
  }
}
