import Foundation
import TestSupport
import Testing

@Suite("The command on a terminal", .timeLimit(.minutes(60)))
struct TerminalTests {
  private func run(
    _ state: TestHome, _ arguments: String..., steps: KeyValuePairs<String, String> = [:]
  ) throws -> TerminalRun {
    try TerminalRun(
      ["--home", state.home] + arguments, steps.map { TerminalRun.Step(seen: $0, typed: $1) })
  }

  /// A tape of one stranger's touch, after which the sensor waits on.
  private func holding(_ state: TestHome) throws -> String {
    try state.strangerTouches(1) + ",hold=1"
  }

  @Test("K5: a passcode is typed twice, unseen")
  func setPasscode() throws {
    let state = try TestHome()
    let set = try run(
      state, "passcode", "set", steps: ["New passcode": "s3cret\n", "again": "s3cret\n"])
    #expect(set.status == 0, "\(set)")
    #expect(!set.shown.contains("s3cret"))
    #expect(set.isTerminalAsBefore)
    try state.succeed("unlock", passcode: "s3cret")
  }

  @Test("typing while a touch is awaited chooses the passcode, after a miss and a wrong one too")
  func fingerAndPasscode() throws {
    let state = try TestHome.enrolled()
    let auth = try run(
      state, "--driver", holding(state), "auth", "--reason", "x",
      steps: ["Not recognized": "wrong\n", "not the passcode": TestHome.passcode + "\n"])
    #expect(auth.status == 0, "\(auth)")
    #expect(auth.shown.contains("by the passcode"))
    #expect(!auth.shown.contains("horse"))
    #expect(auth.isTerminalAsBefore)
  }

  @Test("Ctrl-C at every prompt ends with 130, loses nothing and leaves the terminal as it was")
  func interrupts() throws {
    let state = try TestHome.enrolled()
    func interrupt(at words: String, _ arguments: String...) throws {
      let run = try TerminalRun(
        ["--home", state.home] + arguments, [.init(seen: words, typed: "\u{3}")])
      #expect(run.status == 130, "\(arguments): \(run)")
      #expect(run.isTerminalAsBefore, "\(arguments)")
    }
    let holding = try holding(state)
    try interrupt(at: "Not recognized", "--driver", holding, "auth", "--reason", "x")
    try interrupt(at: "Passcode", "auth", "--reason", "x")
    try interrupt(at: "Passcode", "--driver", holding, "finger", "enroll")
    try interrupt(at: "Secret", "item", "add", "--service", "s")
    try interrupt(at: "Passcode", "passcode", "change")
    try interrupt(at: "Passcode", "finger", "remove", "right-index")
    let fresh = try TestHome()
    let set = try TerminalRun(
      ["--home", fresh.home, "passcode", "set"],
      [.init(seen: "New passcode", typed: "a\n"), .init(seen: "again", typed: "\u{3}")])
    #expect(set.status == 130, "\(set)")
    #expect(try fresh.authcore("status").json["passcodeSet"]?.bool == false)
    #expect(try state.authcore("finger", "list").json["fingers"]?.array?.count == 1)
    #expect(try state.authcore("item", "list").json["items"]?.array?.isEmpty == true)
    try state.succeed("unlock", passcode: TestHome.passcode)
  }

  @Test("A6: a prompt comes on the terminal when standard input, output and error are elsewhere")
  func redirected() throws {
    let state = try TestHome.enrolled()
    let auth = try TerminalRun(
      ["--home", state.home, "auth", "--reason", "Pay the rent"],
      [.init(seen: "Passcode", typed: TestHome.passcode + "\n")], in: .redirected)
    #expect(auth.status == 0, "\(auth)")
    #expect(auth.shown.contains("Pay the rent"))
    #expect(auth.output.contains("by the passcode"))
    #expect(auth.errors == "")
    #expect(auth.isTerminalAsBefore)
  }

  @Test("A6: a job in the terminal's background gets no prompt and no touch")
  func background() throws {
    let state = try TestHome.enrolled()
    func refused(_ arguments: String...) throws {
      let run = try TerminalRun(["--json", "--home", state.home] + arguments, in: .background)
      #expect(run.status == 2, "\(run)")
      #expect(run.shown.contains("notInteractive"), "\(run)")
    }
    try refused("auth", "--reason", "x")
    try refused("--driver", try state.ownerTouch(), "auth", "--reason", "x")
    try refused("--driver", try state.ownerTouch(), "auth", "--policy", "biometrics")
    try state.succeed("lock")
    try refused("unlock")
    try refused("passcode", "change")
    try refused("finger", "remove", "right-index")
  }

  @Test("A6: in the background a passcode that was given answers as ever")
  func backgroundPasscode() throws {
    let state = try TestHome.enrolled()
    let file = try state.folder.write("passcode", TestHome.passcode)
    let auth = try TerminalRun(
      ["--home", state.home, "--passcode-file", file, "auth", "--reason", "x"], in: .background)
    #expect(auth.status == 0, "\(auth)")
    #expect(auth.shown.contains("by the passcode"))
  }

  @Test("A6: without a terminal a tape plays, and --unattended says what is waited for")
  func unattended() throws {
    let state = try TestHome.enrolled()
    let tape = try state.ownerTouch()
    let plain = try state.succeed("--driver", tape, "auth", "--reason", "Pay the rent")
    #expect(!plain.errors.contains("waiting"), "\(plain.account)")
    let waiting = try state.succeed(
      "--unattended", "--driver", tape, "auth", "--reason", "Pay the rent", "--quiet")
    #expect(
      waiting.errors.contains(
        "waiting for a touch of the reader: authcore wants you to confirm that it is you. "
          + "It says: “Pay the rent”"), "\(waiting.account)")
  }

  @Test("A6: a remote login is asked for the passcode, and a tape plays for it")
  func remote() throws {
    let state = try TestHome.enrolled()
    let remote = ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
    let asked = try TerminalRun(
      ["--home", state.home, "auth"],
      [.init(seen: "Passcode", typed: TestHome.passcode + "\n")], environment: remote)
    #expect(asked.status == 0, "\(asked)")
    let played = try TerminalRun(
      ["--home", state.home, "--driver", try state.ownerTouch(), "auth"], environment: remote)
    #expect(played.status == 0 && played.shown.contains("right-index"), "\(played)")
  }

  @Test(
    "FINDINGS A1: behind a program that reads the terminal no secret is typed, and a touch counts")
  func otherReader() throws {
    let state = try TestHome.enrolled()
    let typed = TestHome.passcode + "\n"
    func refused(_ arguments: String...) throws {
      let run = try TerminalRun(
        ["--home", state.home] + arguments,
        [.init(seen: "reads what is typed", typed: typed + "\u{4}")], in: .besideReader)
      #expect(run.status == 2 && run.typed == typed, "\(run)")
      #expect(!run.shown.contains("asscode:") && run.isTerminalAsBefore, "\(run)")
    }
    try refused("auth", "--reason", "x")
    try refused("passcode", "change")
    let fresh = try TestHome()
    let new = try TerminalRun(
      ["--home", fresh.home, "passcode", "set"],
      [.init(seen: "reads what is typed", typed: "\u{4}")], in: .besideReader)
    #expect(new.status == 2 && !new.shown.contains("New passcode"), "\(new)")
    let touched = try TerminalRun(
      ["--home", state.home, "--driver", try state.ownerTouch(), "auth", "--reason", "x"],
      [.init(seen: "by right-index", typed: "\u{4}")], in: .besideReader)
    #expect(touched.status == 0 && touched.shown.contains("Touch the reader"), "\(touched)")
    #expect(!touched.shown.contains("Esc"), "no key is offered: \(touched)")
  }

  @Test("changing the passcode asks for the current one first, and once")
  func changePasscode() throws {
    let state = try TestHome.enrolled()
    let interrupted = try run(
      state, "passcode", "change",
      steps: ["Passcode": TestHome.passcode + "\n", "New passcode": "\u{3}"])
    #expect(interrupted.status == 130, "\(interrupted)")
    let changed = try run(
      state, "passcode", "change",
      steps: [
        "Passcode": "wrong one\n", "not the passcode": TestHome.passcode + "\n",
        "New passcode": "battery staple\n", "again": "battery staple\n",
      ])
    #expect(changed.status == 0, "\(changed)")
    #expect(!changed.shown.contains("battery") && !changed.shown.contains("horse"))
    #expect(changed.isTerminalAsBefore)
    try state.succeed("unlock", passcode: "battery staple")
  }

  @Test("an item's secret is typed twice, unseen")
  func typedSecret() throws {
    let state = try TestHome()
    let add = try run(
      state, "item", "add", "mail",
      steps: ["Secret": "one\n", "again": "other\n", "Secret:": "s3cret\n", "again:": "s3cret\n"])
    #expect(add.status == 0 && !add.shown.contains("s3cret"), "\(add)")
    #expect(try state.authcore("item", "get", "mail", json: false).text == "s3cret")
  }

  @Test("Ctrl-Z at a prompt gives the terminal back, and fg asks again")
  func suspended() throws {
    let state = try TestHome.enrolled()
    func suspend(at words: String, then typed: String, _ arguments: String...) throws {
      let run = try TerminalRun(
        ["--home", state.home] + arguments,
        [
          .init(seen: words, typed: "\u{1A}"), .init(seen: "keys are shown", typed: ""),
          .init(seen: words, typed: typed),
        ], in: .suspendedOnce)
      #expect(run.status == 0, "\(run)")
      #expect(run.isTerminalAsBefore)
    }
    let passcode = TestHome.passcode + "\n"
    try suspend(at: "Passcode", then: passcode, "auth", "--reason", "Pay the rent")
    try suspend(at: "Touch the reader", then: passcode, "--driver", try holding(state), "auth")
    let own = try TerminalRun(
      ["--home", state.home, "item", "add", "--service", "s"],
      [
        .init(seen: "Secret", typed: "go\u{1A}"), .init(seen: "keys are shown", typed: ""),
        .init(seen: "Secret", typed: "gold\n"), .init(seen: "again", typed: "gold\n"),
      ], in: .suspendedOnce)
    #expect(own.status == 0 && own.isTerminalAsBefore, "\(own)")
  }

  @Test("A6: a command that is left in the background while it asks gets no answer")
  func leftInBackground() throws {
    let state = try TestHome.enrolled()
    let auth = try TerminalRun(
      ["--home", state.home, "--driver", try holding(state), "auth"],
      [.init(seen: "Touch the reader", typed: "\u{1A}")], in: .suspendedAndLeft)
    #expect(auth.status == 2, "\(auth)")
    #expect(auth.shown.contains("background"), "\(auth)")
  }

  @Test("a terminal that goes away ends a prompt")
  func hangUp() throws {
    let state = try TestHome.enrolled()
    for (words, arguments) in [
      ("Passcode", ["auth"]), ("Secret", ["item", "add", "--service", "s"]),
      ("Touch the reader", ["--driver", try holding(state), "auth"]),
    ] {
      let run = try TerminalRun(["--home", state.home] + arguments, [.init(seen: words, .hangUp)])
      #expect(run.status == 129, "\(run)")
    }
    try state.succeed("unlock", passcode: TestHome.passcode)
  }

  @Test("what is asked stays readable on a narrow terminal, and when that is made narrower")
  func narrow() throws {
    let state = try TestHome.enrolled()
    let auth = try TerminalRun(
      ["--home", state.home, "--driver", try holding(state), "auth"],
      [
        .init(seen: "Esc: cancel]", .resize(columns: 30)),
        .init(seen: "cancel]", typed: "\u{1B}"),
      ], columns: 40)
    #expect(auth.status == 1 && auth.shown.contains("the request was"), "\(auth)")
    #expect(auth.isTerminalAsBefore)
  }

  @Test("sensor watch shows one touch in place of the other, and the last one stays")
  func watch() throws {
    let state = try TestHome()
    let watched = try run(state, "--driver", "replay", "sensor", "watch", "--touches", "3")
    #expect(watched.status == 0, "\(watched)")
    let up = watched.shown.matches(of: /\e\[\d+A/).count
    #expect(up >= 2, "\(watched)")
    #expect(watched.shown.contains("touch 3: "))
    #expect(watched.shown.split(separator: "\n").last?.contains("touch 3: ") == true)
  }

  @Test("two terminals ask at once, each for itself")
  func two() throws {
    let state = try TestHome.enrolled()
    let passcode = TestHome.passcode + "\n"
    let first = try TerminalRun(
      ["--home", state.home, "--driver", try holding(state), "auth", "--reason", "First"],
      [
        .init(
          seen: "Touch the reader",
          .run {
            let second = try run(state, "auth", "--reason", "Second", steps: ["Passcode": passcode])
            #expect(second.status == 0 && !second.shown.contains("First"), "\(second)")
          }), .init(seen: "Not recognized", typed: passcode),
      ])
    #expect(first.status == 0 && !first.shown.contains("Second"), "\(first)")
  }

  @Test("biometrics alone offer no passcode, which would be refused")
  func noPasscodeOffered() throws {
    let state = try TestHome.enrolled()
    let auth = try run(
      state, "--driver", holding(state), "auth", "--policy", "biometrics",
      steps: ["Touch the reader": "\u{1B}"])
    #expect(auth.status == 1, "\(auth)")
    #expect(!auth.shown.lowercased().contains("passcode") && !auth.shown.contains("password"))
  }

  @Test("LC_ALL=C gets ASCII, TERM=dumb no line that is replaced")
  func oldTerminals() throws {
    let state = try TestHome.withPasscode()
    let plain = try TerminalRun(
      ["--home", state.home, "--driver", "replay", "finger", "enroll", "--touches", "5"],
      [.init(seen: "Passcode", typed: TestHome.passcode + "\n")],
      environment: ["LC_ALL": "C"])
    #expect(plain.status == 0 && plain.shown.utf8.allSatisfy { $0 < 0x80 }, "\(plain)")
    let dumb = try TerminalRun(
      ["--home", state.home, "--driver", "replay", "auth"], environment: ["TERM": "dumb"])
    #expect(dumb.status == 0 && !dumb.shown.contains("\u{1B}"), "\(dumb)")
    #expect(dumb.shown.contains("Touch the reader."), "\(dumb)")
  }

  @Test("removing the passcode asks, and only the word goes on")
  func removal() throws {
    let state = try TestHome.enrolled()
    let refused = try run(state, "passcode", "remove", steps: ["Type remove": "yes\n"])
    #expect(refused.status == 1, "\(refused)")
    #expect(try state.authcore("status").json["passcodeSet"]?.bool == true)
    let removed = try run(
      state, "passcode", "remove",
      steps: ["Type remove": "remove\n", "Passcode": TestHome.passcode + "\n"])
    #expect(removed.status == 0, "\(removed)")
    #expect(try state.authcore("status").json["passcodeSet"]?.bool == false)
  }

  @Test("FINDINGS B4: what was typed before the prompt counts as no passcode")
  func typedBefore() throws {
    let state = try TestHome.enrolled()
    let gate = state.folder.file("gate")
    try #require(unsafe mkfifo(gate, 0o600) == 0)
    let auth = try TerminalRun(
      [
        "-c", "echo busy; read -r go <'\(gate)'; exec \"$@\"", "sh", Products.program("authcore"),
        "--home", state.home, "auth",
      ],
      [
        .init(seen: "busy", typed: "ls -l\nls -l\nwrong"),
        .init(seen: "wrong", .run { try Data("go\n".utf8).write(to: URL(filePath: gate)) }),
        .init(seen: "Passcode", typed: TestHome.passcode + "\n"),
      ], program: "/bin/sh")
    #expect(auth.status == 0 && !auth.shown.contains("not the passcode"), "\(auth)")
  }

  @Test("an enrollment shows how far it is")
  func enrollment() throws {
    let state = try TestHome.withPasscode()
    let enrolled = try run(
      state, "--driver", "replay", "finger", "enroll", "--touches", "5",
      steps: ["Passcode": TestHome.passcode + "\n"])
    #expect(enrolled.status == 0, "\(enrolled)")
    #expect(enrolled.shown.contains("━"))
    #expect(enrolled.shown.contains("Enrolled"))
  }

  @Test("without colors and replaced lines where the terminal has none")
  func plain() throws {
    let state = try TestHome()
    let status = try run(state, "status", "--no-color")
    #expect(status.status == 0, "\(status)")
    // A command that takes long says that it is working, and replaces that line.
    #expect(!status.shown.replacing("\u{1B}[J", with: "").contains("\u{1B}"))
  }
}
