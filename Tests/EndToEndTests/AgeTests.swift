import Foundation
import TestSupport
import Testing

private let hasAge = FileManager.default.isExecutableFile(atPath: "/usr/bin/age")

@Suite(
  "age, with keys of the enclave", .timeLimit(.minutes(60)),
  .enabled(if: hasAge, "age is not installed"))
struct AgeTests {
  private let state: TestHome
  private let bin: TemporaryFolder
  private let asked: URL

  init() throws {
    state = try TestHome.enrolled()
    bin = try TemporaryFolder()
    asked = state.folder.url.appendingPathComponent("asked")
    for name in ["age-plugin-authcore", "age-plugin-tag"] {
      try FileManager.default.createSymbolicLink(
        atPath: bin.file(name), withDestinationPath: Products.program("age-plugin-authcore"))
    }
  }

  private func environment(_ driver: String?) -> [String: String] {
    [
      "PATH": "\(bin.url.path):/usr/bin:/bin", "AUTHCORE_HOME": state.home,
      "AUTHCORE_ASKED": asked.path, "AUTHCORE_TPM": "off", "AUTHCORE_SERVICE": "off",
    ].merging(driver.map { ["AUTHCORE_DRIVER": $0] } ?? [:]) { $1 }
  }

  private func age(_ arguments: [String], _ input: Data, driver: String? = nil) throws -> CommandRun
  {
    try run("/usr/bin/age", arguments, input: input, environment: environment(driver))
  }

  private func plugin(_ arguments: String..., input: String = "") throws -> CommandRun {
    try run(
      "age-plugin-authcore", arguments, input: Data(input.utf8), environment: environment(nil))
  }

  /// How often a person was asked since the last time.
  private func questions() -> [String] {
    defer { try? FileManager.default.removeItem(at: asked) }
    let text = (try? String(contentsOf: asked, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Makes a key behind a touch.
  /// - Returns: its recipient, and the path of its identity file.
  private func makeKey(_ name: String) throws -> (recipient: String, identity: String) {
    let made = try plugin("--generate", name, "--access", "presence").expectSuccess()
    let lines = made.text.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(made.account)")
    let recipient = String(lines[2].dropFirst("# recipient: ".count))
    return (recipient, try state.folder.write(name, made.output).path)
  }

  @Test("X8: stock age encrypts for a key, and one touch decrypts")
  func touch() throws {
    let (recipient, identity) = try makeKey("files")
    #expect(recipient.hasPrefix("age1tag1"))
    let shown = try state.authcore("key", "public", "files", "--format", "age", json: false)
    #expect(shown.text == recipient + "\n", "\(shown.account)")
    #expect(try plugin("--list").text == "# files\n\(recipient)\n")
    #expect(try plugin("--identity", "files").output == Data(contentsOf: URL(filePath: identity)))
    let text = Data("The enclave says hello.".utf8)
    let sealed = try age(["-r", recipient], text).expectSuccess().output
    #expect(questions() == [])
    let opened = try age(["-d", "-i", identity], sealed, driver: state.ownerTouch())
    #expect(opened.status == 0 && opened.output == text, "\(opened.account)")
    #expect(questions() == ["key open a file with the key files"])
    let byIdentity = try age(["-e", "-i", identity], text).expectSuccess().output
    let again = try age(["-d", "-i", identity], byIdentity, driver: state.ownerTouch())
    #expect(again.output == text, "\(again.account)")
    #expect(questions().count == 1)
  }

  @Test("E2: a stranger's finger opens no file, and nobody is asked for a file of others")
  func refused() throws {
    let (recipient, identity) = try makeKey("files")
    let (other, _) = try makeKey("others")
    let sealed = try age(["-r", recipient], Data("secret".utf8)).output
    let stranger = try age(["-d", "-i", identity], sealed, driver: state.strangerTouches(5))
    #expect(stranger.status != 0 && stranger.output.isEmpty, "\(stranger.account)")
    #expect(questions().count == 1)
    let foreign = try age(["-r", other], Data("secret".utf8)).output
    let none = try age(["-d", "-i", identity], foreign, driver: state.ownerTouch())
    #expect(none.status != 0 && none.output.isEmpty, "\(none.account)")
    let both = try age(["-r", other, "-r", recipient, "-r", recipient], Data("x".utf8)).output
    #expect(questions() == [])
    let opened = try age(["-d", "-i", identity], both, driver: state.ownerTouch())
    #expect(opened.text == "x" && questions().count == 1, "\(opened.account)")
  }

  @Test("X8 E5: misses at the agent and at age lock fingers out for both and for the command")
  func lockout() throws {
    let (recipient, identity) = try makeKey("files")
    let sealed = try age(["-r", recipient], Data("secret".utf8)).output
    let key = try state.publicHalf("files")
    func misses(atAge count: Int) throws {
      let stranger = try age(
        ["-d", "-i", identity], sealed, driver: state.strangerTouches(count))
      #expect(stranger.status != 0, "\(stranger.account)")
    }
    func misses(atAgent count: Int) throws {
      let agent = try RunningAgent(state, driver: state.strangerTouches(count))
      #expect(try agent.run("/usr/bin/ssh-add", ["-T", key.path]).status == 1)
    }
    func expectLockout() throws {
      let touch = try state.ownerTouch()
      try state.authcore("--driver", touch, "auth", "--policy", "biometrics", "--reason", "x")
        .expect(error: "biometryLockout")
      let why = "only the passcode will do"
      let opened = try age(["-d", "-i", identity], sealed, driver: touch)
      #expect(opened.output.isEmpty && opened.errors.contains(why), "\(opened.account)")
      let agent = try RunningAgent(state, driver: touch)
      #expect(try agent.run("/usr/bin/ssh-add", ["-T", key.path]).status == 1)
      #expect(try agent.lines.last?.contains(why) == true)
    }
    // One prompt takes three.
    try misses(atAgent: 3)
    try misses(atAgent: 2)
    try expectLockout()
    try state.succeed("unlock", passcode: TestHome.passcode)
    try misses(atAge: 3)
    try misses(atAgent: 2)
    try expectLockout()
  }

  @Test("K6: a locked device asks once, to unlock and to open, and without a person not at all")
  func locked() throws {
    let (recipient, identity) = try makeKey("files")
    let sealed = try age(["-r", recipient], Data("secret".utf8)).output
    let file = try state.folder.write("sealed", sealed).path
    try state.succeed("lock")
    let refused = try age(["-d", "-i", identity], sealed, driver: state.ownerTouch())
    #expect(refused.status != 0 && refused.output.isEmpty, "\(refused.account)")
    #expect(questions() == [])
    let decrypt = ["-d", "-i", identity, file]
    let typed = try TerminalRun(
      decrypt, [.init(seen: "Passcode", typed: TestHome.passcode + "\n")], program: "/usr/bin/age",
      environment: environment(nil))
    #expect(typed.status == 0 && typed.shown.contains("secret"), "\(typed)")
    #expect(
      typed.shown.contains("A program calling itself “age” (/usr/bin/age), through age, wants"),
      "FINDINGS A6: \(typed)")
    let named = try String(contentsOfFile: identity, encoding: .utf8).split(separator: "\n").last
    #expect(questions() == ["key open a file with the key \(named ?? "")"])
    try state.succeed("lock")
    let touched = try TerminalRun(
      decrypt, program: "/usr/bin/age", environment: environment(state.ownerTouch()))
    #expect(touched.status == 0 && touched.shown.contains("secret"), "\(touched)")
    #expect(questions().count == 1)
  }

  @Test(
    "FINDINGS A1: behind a program that reads the terminal a touch opens, and no passcode is typed")
  func pipe() throws {
    let (recipient, identity) = try makeKey("files")
    let file = try state.folder.write(
      "sealed", try age(["-r", recipient], Data("text".utf8)).output)
    let decrypt = ["-d", "-i", identity, file.path]
    let refused = try TerminalRun(
      decrypt, [.init(seen: "age: error", typed: TestHome.passcode + "\n\u{4}")], in: .besideReader,
      program: "/usr/bin/age", environment: environment(nil))
    #expect(refused.status == 1 && refused.typed == TestHome.passcode + "\n", "\(refused)")
    #expect(!refused.shown.contains("Passcode") && refused.isTerminalAsBefore, "\(refused)")
    let touched = try TerminalRun(
      decrypt, [.init(seen: "text", typed: "\u{4}")], in: .besideReader, program: "/usr/bin/age",
      environment: environment(state.ownerTouch()))
    #expect(touched.status == 0 && touched.shown.contains("Touch the reader.\r\n"), "\(touched)")
  }

  @Test(
    "FINDINGS A5: a background job asks nobody through the plugin, though its shell is in front")
  func backgroundJob() throws {
    _ = try makeKey("files")
    try state.succeed("lock")
    let run = try TerminalRun(
      ["--identity", "files"], in: .background, program: bin.file("age-plugin-authcore"),
      environment: environment(state.ownerTouch()))
    #expect(run.status != 0 && !run.shown.contains("Touch the reader"), "\(run)")
  }

  @Test("X8: a wrong command line or a wrong partner ends the plugin, and help needs no core")
  func commandLine() throws {
    let empty = try TestHome()
    for arguments in [["--help"], ["--version"]] {
      let shown = try run(
        "age-plugin-authcore", arguments, environment: ["AUTHCORE_HOME": empty.home])
      #expect(shown.status == 0 && shown.text.contains("age-plugin-authcore"), "\(shown.account)")
      #expect(empty.core == nil)
    }
    for arguments in [
      [], ["--age-plugin=recipient-v2"], ["--age-plugin"], ["--identity"],
      ["--generate", "a", "b"],
      ["--generate", "a", "--access", "nonsense"], ["--list", "x"],
    ] {
      let refused = try run("age-plugin-authcore", arguments, environment: environment(nil))
      #expect(refused.status == 64 && refused.text == "", "\(refused.account)")
    }
    #expect(try plugin("--identity", "absent").status == 3)
    for input in ["", "hello\n", "-> done", "-> add-identity\n\n"] {
      let ended = try plugin("--age-plugin=identity-v1", input: input)
      #expect(ended.status == 64 && ended.text == "", "\(ended.account)")
    }
    #expect(try plugin("--age-plugin=identity-v1", input: "-> done\n\n").text == "-> done\n\n")
  }
}
