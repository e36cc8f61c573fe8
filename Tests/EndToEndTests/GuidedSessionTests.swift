import Foundation
import TestSupport
import Testing

@Suite("The guided session", .timeLimit(.minutes(15)))
struct GuidedSessionTests {
  @Test("X1 W3: with the built-in tape it runs from start to end without a person, twice")
  func replay() throws {
    let state = try TestHome()
    let first = try state.authcore("--driver", "replay", json: false)
    #expect(first.status == 0, "\(first.account)")
    let said = first.text + first.errors
    for word in ["enclave", "keychain", "policy", "replay", "passcode"] {
      #expect(said.contains(word), "\(word) is not in: \(first.account)")
    }
    #expect(said.contains("The passcode is"), "\(first.account)")
    let second = try state.authcore("--driver", "replay", json: false)
    #expect(second.status == 0, "\(second.account)")
  }

  @Test("W3: it asks nobody where standard input is no terminal, whatever the controlling one is")
  func controllingTerminal() throws {
    let state = try TestHome()
    let run = try TerminalRun(["--home", state.home, "--driver", "replay"], in: .redirected)
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("The passcode is"), "\(run)")
    #expect(run.shown == "")
  }

  @Test("W3: it asks nobody in the background of a terminal")
  func background() throws {
    let state = try TestHome()
    let run = try TerminalRun(
      ["--home", state.home, "--driver", "replay"], in: .redirectedBackground)
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("The passcode is"), "\(run)")
    #expect(run.shown == "")
  }

  @Test("on a terminal it asks for the passcode to set")
  func asks() throws {
    let state = try TestHome()
    let run = try TerminalRun(
      ["--home", state.home, "--driver", "replay"],
      [
        .init(seen: "New passcode", typed: "correct horse\n"),
        .init(seen: "again", typed: "correct horse\n"),
      ])
    #expect(run.status == 0, "\(run)")
    #expect(!run.shown.contains("The passcode is ") && run.isTerminalAsBefore)
  }
}
