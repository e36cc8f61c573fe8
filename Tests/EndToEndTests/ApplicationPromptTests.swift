import Foundation
import TestSupport
import Testing

@Suite("An application on a terminal", .timeLimit(.minutes(15)))
struct ApplicationPromptTests {
  private func run(
    _ state: TestHome, _ arguments: String..., steps: [TerminalRun.Step] = [],
    in shell: TerminalRun.Shell = .foreground, environment: [String: String] = [:]
  ) throws -> TerminalRun {
    try TerminalRun(
      ["prompting", "Chores", "Add a chore"] + arguments, steps, in: shell, program: "exercise",
      environment: ["AUTHCORE_HOME": state.home].merging(environment) { $1 })
  }

  private func withPasscode() throws -> TestHome {
    let state = try TestHome()
    let set = try state.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.status == 0, "\(set.account)")
    return state
  }

  private let passcode = TerminalRun.Step(seen: "Passcode", typed: TestHome.passcode + "\n")

  @Test("A6: asks on the terminal, says who asks, and shows nothing of what is typed")
  func asks() throws {
    let state = try withPasscode()
    for shell in [TerminalRun.Shell.foreground, .redirected] {
      let run = try run(state, steps: [passcode], in: shell)
      #expect(run.status == 0, "\(run)")
      #expect(run.shown.contains("\u{201C}Chores\u{201D} asks: Add a chore"))
      #expect((run.shown + run.output).contains("proved by the passcode"))
      #expect(!run.shown.contains("horse") && run.isTerminalAsBefore)
    }
  }

  @Test("A6: over SSH the passcode is asked for, and in the terminal's background nothing")
  func elsewhere() throws {
    let state = try withPasscode()
    let remote = try run(state, steps: [passcode], environment: ["SSH_TTY": "/dev/pts/9"])
    #expect(remote.status == 0, "\(remote)")
    let background = try run(state, in: .background)
    #expect(background.status == 1 && background.shown.contains("notInteractive"), "\(background)")
    #expect(!background.shown.contains("Chores"))
  }

  @Test("A6: without a terminal nobody is asked")
  func noTerminal() throws {
    let state = try withPasscode()
    let run = try TestSupport.run(
      "exercise", ["prompting", "Chores", "Add a chore"], environment: ["AUTHCORE_HOME": state.home]
    )
    #expect(run.status == 1 && run.text.hasPrefix("notInteractive"), "\(run.account)")
    #expect(run.errors == "")
  }

  @Test("Ctrl-C at the prompt is the program's Ctrl-C, and the terminal is as it was")
  func interrupt() throws {
    let state = try withPasscode()
    let run = try run(state, steps: [.init(seen: "Passcode", typed: "half\u{3}")], in: .trapping)
    #expect(run.status == 130, "\(run)")
    #expect(run.shown.contains("the shell got it too"))
    #expect(run.isTerminalAsBefore)
  }

  @Test("Ctrl-Z suspends it with the prompt taken away; it asks again in the foreground")
  func suspended() throws {
    let state = try withPasscode()
    let run = try run(
      state,
      steps: [
        .init(seen: "Passcode", typed: "\u{1A}"), .init(seen: "keys are shown", typed: ""),
        passcode,
      ],
      in: .suspendedOnce)
    #expect(run.status == 0, "\(run)")
    #expect(run.shown.contains("proved by the passcode"))
    #expect(run.isTerminalAsBefore)
  }

  @Test("Ctrl-Z and bg: it goes on, and nobody is asked in the background")
  func left() throws {
    let state = try withPasscode()
    let run = try run(
      state, steps: [.init(seen: "Passcode", typed: "\u{1A}")], in: .suspendedAndLeft)
    #expect(run.status == 1 && run.shown.contains("notInteractive"), "\(run)")
    #expect(run.isTerminalAsBefore)
  }

  @Test("a request that another thread cancels ends, and the terminal is as it was")
  func cancelled() throws {
    let state = try withPasscode()
    let fifo = state.folder.url.appendingPathComponent("fifo").path
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    let run = try run(
      state, fifo,
      steps: [.init(seen: "Passcode", .run { close(unsafe open(fifo, O_WRONLY)) })])
    #expect(run.status == 1 && run.shown.contains("appCancel"), "\(run)")
    #expect(run.isTerminalAsBefore)
  }

  @Test("a terminal that is closed ends it, and its core serves the next one")
  func hangUp() throws {
    let state = try withPasscode()
    let closed = try run(state, steps: [.init(seen: "Passcode", .hangUp)])
    #expect(closed.status != 0, "\(closed)")
    #expect(try run(state, steps: [passcode]).status == 0)
  }
}
