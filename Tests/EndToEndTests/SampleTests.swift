import Foundation
import TestSupport
import Testing

@Suite(
  "The samples of Examples",
  .enabled(if: Products.sample("KeychainTouchID") != nil, "scripts/test-examples builds them"),
  .timeLimit(.minutes(60)))
struct SampleTests {
  private let home: TestHome
  private let data: TemporaryFolder

  init() throws {
    home = try TestHome()
    data = try TemporaryFolder()
  }

  private func environment(_ driver: String?) -> [String: String] {
    var environment = [
      "AUTHCORE_HOME": home.home, "AUTHCORE_CORE": Products.program("authcored"),
      "AUTHCORE_TPM": "off", "XDG_DATA_HOME": data.url.path,
    ]
    environment["AUTHCORE_DRIVER"] = driver
    return environment
  }

  private func play(
    _ sample: String, _ arguments: String..., driver: String? = nil, typing: String = ""
  ) throws -> CommandRun {
    try run(
      try #require(Products.sample(sample)), arguments, input: Data(typing.utf8),
      environment: environment(driver))
  }

  private func onTerminal(
    _ sample: String, _ arguments: String..., steps: [TerminalRun.Step],
    in shell: TerminalRun.Shell = .foreground, driver: String? = nil
  ) throws -> TerminalRun {
    try TerminalRun(
      arguments, steps, in: shell, program: try #require(Products.sample(sample)),
      environment: environment(driver))
  }

  @Test("W1: anybody reads the chores, without a core; only the owner's finger adds one")
  func chores() throws {
    let empty = try play("Chores", "list")
    #expect(empty.status == 0 && empty.text == "There is nothing to do.\n", "\(empty.account)")
    #expect(home.processes.isEmpty)
    try home.setUp()
    let stranger = try play(
      "Chores", "add", "Eat", "the", "cake", driver: try home.strangerTouches(3))
    #expect(stranger.status == 1, "\(stranger.account)")
    #expect(stranger.errors.hasPrefix("Nothing was added: "))
    #expect(try play("Chores", "list").text == "There is nothing to do.\n")
    let owner = try play("Chores", "add", "Walk", "the", "dog", driver: try home.ownerTouch())
    #expect(owner.status == 0 && owner.text == "1. Walk the dog\n", "\(owner.account)")
    #expect(try play("Chores", "list").text == "1. Walk the dog\n")
  }

  @Test("W1: Add a Chore asks on the terminal, by the sample's name")
  func choresOnTerminal() throws {
    try home.setUp()
    func add(_ title: String, answer: String) throws -> TerminalRun {
      try onTerminal(
        "Chores",
        steps: [
          .init(seen: "Add a Chore", typed: title + "\n"),
          .init(seen: "Passcode: ", typed: answer),
        ])
    }
    let cancelled = try add("Eat the cake", answer: "\u{1B}")
    #expect(cancelled.status == 1, "\(cancelled)")
    #expect(cancelled.shown.contains("Nothing was added: you cancelled."))
    let added = try add("Walk the dog", answer: TestHome.passcode + "\n")
    #expect(added.status == 0, "\(added)")
    #expect(added.shown.contains("A program calling itself “Chores” (/"), "\(added)")
    #expect(added.shown.contains("It says: “Add “Walk the dog” to the chores”"))
    #expect(added.shown.contains("1. Walk the dog") && added.isTerminalAsBefore)
    #expect(!added.shown.contains("horse"))
    let background = try onTerminal("Chores", "add", "Sleep", steps: [], in: .background)
    #expect(background.status == 1, "\(background)")
    #expect(background.shown.contains("nobody can be asked here"))
    #expect(try play("Chores", "list").text == "1. Walk the dog\n")
  }

  @Test("W2: a password is asked for once, found, updated where it was changed, and deleted")
  func keychain() throws {
    try home.setUp()
    func run(_ verb: String, typing: String = "") throws -> CommandRun {
      try play("KeychainSample", verb, "ann", typing: typing)
    }
    let added = try run("sign-in", typing: "s3cret\n")
    #expect(added.status == 0 && added.text.contains("is in the keychain"), "\(added.account)")
    let found = try run("sign-in")
    #expect(found.text == "Signed in as ann, with the password of the keychain.\n")
    #expect(try run("change", typing: "other\n").status == 0)
    try run("sign-in", typing: "s3cret\n").expect(status: 1)
    let updated = try run("sign-in", typing: "other\n")
    #expect(updated.text.contains("is the new one"), "\(updated.account)")
    #expect(try run("sign-in").text.contains("with the password of the keychain"))
    #expect(try run("delete").text.contains("is gone"))
    #expect(try run("delete").text.contains("has no password"))
    #expect(try run("sign-in").status == 1)
  }

  @Test("W2: what is typed on a terminal is not shown")
  func unseen() throws {
    try home.setUp()
    let run = try onTerminal(
      "KeychainSample", "sign-in", "ann", steps: [.init(seen: "Password of ann", typed: "s3cret\n")]
    )
    #expect(run.status == 0 && !run.shown.contains("s3cret"), "\(run)")
    #expect(run.isTerminalAsBefore)
  }

  @Test("W3: items behind access control open for the owner's finger, and for no other")
  func touchID() throws {
    try home.setUp()
    // A touch for each of the items.
    let owner = try home.tape(Array(try Prints.owner.get()[5...7]))
    func run(_ name: String, _ driver: String? = nil, typing: String = "") throws -> CommandRun {
      try play("KeychainTouchID", name, driver: driver ?? owner, typing: typing)
    }
    for (name, typed) in [("add-presence", ""), ("add-fingers", ""), ("add-password", "pass\n")] {
      try run(name, typing: typed).expectSuccess()
    }
    #expect(try run("add-presence").status == 1)
    let opened = try run("query", typing: "pass\n").expectSuccess()
    for item in ["presence", "fingers", "password"] {
      #expect(opened.text.contains("“\(item)” holds: the secret behind \(item)"))
    }
    let stranger = try run("query", try home.strangerTouches(3), typing: "pass\n")
    #expect(stranger.status == 1 && !stranger.text.contains("the secret"), "\(stranger.account)")
    try home.succeed("unlock", passcode: TestHome.passcode)
    let wrong = try run("query", typing: "guess\n")
    #expect(wrong.status == 1 && !wrong.text.contains("behind password"), "\(wrong.account)")
    #expect(try run("update", typing: "pass\n").status == 0)
    #expect(try run("query", typing: "pass\n").text.contains("another secret behind fingers"))
    #expect(try run("delete").text.contains("Deleted “fingers”."))
    #expect(try run("query").text == "There is no item yet: add one.\n")
  }

  @Test("W3: a key in the enclave signs for the owner's finger, and for no other")
  func key() throws {
    try home.setUp()
    func run(_ name: String, _ driver: String? = nil) throws -> CommandRun {
      try play("KeychainTouchID", name, driver: try driver ?? home.ownerTouch())
    }
    #expect(try run("use-key").status == 1)
    #expect(try run("generate-key").status == 0)
    #expect(try run("generate-key").status == 1)
    let signed = try run("use-key")
    #expect(signed.text.contains("the signature is good"), "\(signed.account)")
    let stranger = try run("use-key", try home.strangerTouches(3))
    #expect(stranger.status == 1 && stranger.text == "", "\(stranger.account)")
    #expect(try run("delete-key").text == "Deleted the key.\n")
    #expect(try run("delete-key").text == "There is no key.\n")
  }

  @Test(
    "W3: Local Authentication on its own: asked beforehand, by each policy, and once for two items")
  func policies() throws {
    let bare = try play("KeychainTouchID", "can-evaluate")
    #expect(bare.text.contains("no passcode is set"), "\(bare.account)")
    try home.setUp()
    let owner = try home.ownerTouch()
    for name in [
      "can-evaluate", "evaluate-owner", "evaluate-finger", "evaluate-no-fallback",
      "evaluate-own-fallback", "reuse-context", "reuse-unlock",
    ] {
      let run = try play("KeychainTouchID", name, driver: owner)
      #expect(run.status == 0 && run.errors == "", "\(run.account)")
      #expect(!run.text.contains("mistake"), "\(run.account)")
    }
    let stranger = try play(
      "KeychainTouchID", "evaluate-finger", driver: try home.strangerTouches(3))
    #expect(stranger.status == 1, "\(stranger.account)")
    #expect(stranger.errors == "The policy: that was not the owner.\n")
  }

  @Test(
    "W3: a fallback of the program's own is offered on the terminal, and none where it is empty")
  func fallbacks() throws {
    try home.setUp()
    let holding = try home.strangerTouches(1) + ",hold=1"
    let own = try onTerminal(
      "KeychainTouchID", "evaluate-own-fallback",
      steps: [.init(seen: "Enter: Ask somebody else", typed: "\n")], driver: holding)
    #expect(own.status == 0 && own.shown.contains("The other way was chosen"), "\(own)")
    let none = try onTerminal(
      "KeychainTouchID", "evaluate-no-fallback",
      steps: [.init(seen: "Not recognized", typed: "\n\u{1B}")], driver: holding)
    #expect(none.status == 1 && none.shown.contains("you cancelled"), "\(none)")
    #expect(!none.shown.contains("Enter: "))
    #expect(own.isTerminalAsBefore && none.isTerminalAsBefore)
  }
}

@Suite("The guided session", .timeLimit(.minutes(60)))
struct GuidedSessionTests {
  @Test("X1 W3: with the built-in tape it runs from start to end without a person, twice")
  func replay() throws {
    let state = try TestHome()
    let first = try state.succeed("--driver", "replay", json: false)
    let said = first.text + first.errors
    for word in ["enclave", "keychain", "policy", "replay", "passcode"] {
      #expect(said.contains(word), "\(word) is not in: \(first.account)")
    }
    #expect(said.contains("The passcode is"), "\(first.account)")
    try state.succeed("--driver", "replay", json: false)
  }

  @Test(
    "X1 X6: with a simulated reader of any kind it runs from start to end, too",
    arguments: ["uru4000", "elanchip", "synaptics"])
  func simulated(driver: String) throws {
    let state = try TestHome()
    try state.succeed("--driver", driver + ":device=simulated", json: false)
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

@Suite("authcore sdk install", .timeLimit(.minutes(60)))
struct SDKCommandTests {
  private let state: TestHome
  init() throws { state = try TestHome() }

  @Test(
    "X5: what is no toolchain is refused before anything is built, with a way out",
    arguments: ["/bin/false", "/nonexistent", "/bin/cat", ""])
  func noToolchain(_ swift: String) throws {
    let sdk = state.folder.url.appendingPathComponent("sdk")
    let run = try state.authcore("sdk", "install", sdk.path, "--swift", swift)
    #expect(run.status == 64, "\(run.account)")
    #expect(run.text.contains("--swift FILE"), "\(run.account)")
    #expect(!FileManager.default.fileExists(atPath: sdk.path))
  }

  @Test("without a swift in PATH it says how to get one")
  func noSwift() throws {
    let run = try state.authcore("sdk", "install", "sdk", environment: ["PATH": "/nowhere"])
    #expect(run.status == 64, "\(run.account)")
    #expect(run.text.contains("no swift in PATH"), "\(run.account)")
  }
}
