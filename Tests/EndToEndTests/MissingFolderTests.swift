import Foundation
import TestSupport
import Testing

/// CLI.md, "a missing state folder" (FINDINGS B13).
@Suite("A state folder that is not there", .timeLimit(.minutes(15)))
struct MissingFolderTests {
  private let folder: TemporaryFolder
  private let home: String

  init() throws {
    folder = try TemporaryFolder()
    home = folder.url.appendingPathComponent("mistyped").path
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: home) }

  private func authcore(_ arguments: [String], input: String = "") throws -> CommandRun {
    try run("authcore", ["--json", "--home", home] + arguments, input: Data(input.utf8))
  }

  private func file(_ text: String) throws -> String {
    try folder.write(UUID().uuidString, Data(text.utf8)).path
  }

  private func quit() throws {
    #expect(try authcore(["quit"]).status == 0)
    try FileManager.default.removeItem(atPath: home)
  }

  @Test("FINDINGS B13: without a terminal what begins no keychain makes none, and ends with 3")
  func refused() throws {
    for arguments in [
      ["item", "list"], ["item", "get", "mail"], ["item", "remove", "mail"], ["unlock"], ["lock"],
      ["auth", "--reason", "x"], ["finger", "list"], ["key", "list"], ["key", "identities"],
      ["passcode", "remove"],
      ["keychain", "check"], ["app", "list"], ["run", "--env", "A=mail", "--", "true"],
    ] {
      let refused = try authcore(arguments)
      #expect(refused.status == 3, "\(refused.account)")
      #expect(refused.json["error"]?["message"]?.string?.contains(home) == true)
      #expect(!isThere, "\(arguments)")
    }
  }

  @Test("FINDINGS B13: status, doctor and quit answer as for an empty one, and make none")
  func imagined() throws {
    let status = try authcore(["status"])
    #expect(status.status == 0 && status.json["passcodeSet"]?.bool == false, "\(status.account)")
    #expect(status.json["home"]?.string == home && status.json["mode"]?.string == "on-demand")
    let replay = try authcore(["--driver", "replay", "status"])
    #expect(replay.json["driver"]?["name"]?.string == "replay", "\(replay.account)")
    let doctor = try authcore(["doctor"])
    #expect(doctor.status == 0 && doctor.text.contains(home), "\(doctor.account)")
    #expect(try authcore(["quit"]).status == 0)
    #expect(!isThere)
  }

  @Test("status of a missing folder leaves neither core nor folder behind")
  func nothingLeft() throws {
    let scratch = folder.url.appendingPathComponent("tmp")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    let status = try run(
      "authcore", ["--home", home, "status"], environment: ["TMPDIR": scratch.path])
    #expect(status.status == 0, "\(status.account)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }

  @Test("without a terminal what begins a keychain makes one")
  func made() throws {
    let passcode = try file(TestHome.passcode)
    let csv = try file("name,url,username,password\nMail,,ann,x\n")
    for (arguments, status) in [
      (["passcode", "set", "--passcode-file", passcode], 0), (["item", "add", "mail"], 0),
      (["item", "generate", "mail"], 0), (["key", "create", "signer"], 0),
      (["import", csv, "--apply"], 0), (["--driver", "replay", "finger", "enroll"], 2),
      (["backup", "restore", csv, "--passphrase-file", passcode], 64),
    ] as [([String], Int32)] {
      let made = try authcore(arguments)
      #expect(made.status != 3, "\(made.account)")
      if status == 0 { #expect(made.status == 0 && isThere, "\(made.account)") }
      if isThere { try quit() }
    }
    let guided = try run("authcore", ["--driver", "replay", "--home", home])
    #expect(guided.status == 0 && isThere, "\(guided.account)")
    try quit()
  }

  @Test("Git gets nothing from a folder that is not there, and stores into one that it makes")
  func git() throws {
    let place = "protocol=https\nhost=example.org\n"
    for operation in ["get", "erase"] {
      let asked = try authcore(["git-credential", operation], input: place + "\n")
      #expect(asked.status == 0 && asked.text.isEmpty && !isThere, "\(asked.account)")
    }
    let stored = try authcore(
      ["git-credential", "store"], input: place + "username=ann\npassword=x\n\n")
    #expect(stored.status == 0 && isThere, "\(stored.account)")
    try quit()
  }

  @Test("FINDINGS B13: on a terminal it is asked for, and made with a yes alone")
  func asked() throws {
    for (command, answer) in [
      (["passcode", "set"], "\n"), (["item", "list"], "no\n"), (["item", "list"], "\u{4}"),
    ] {
      let refused = try TerminalRun(
        ["--home", home] + command, [.init(seen: "[y/N]", typed: answer)])
      #expect(refused.status == 1 && refused.shown.contains(home), "\(refused)")
      #expect(!isThere && refused.isTerminalAsBefore)
    }
    let set = try TerminalRun(
      ["--home", home, "passcode", "set"],
      [
        .init(seen: "[y/N]", typed: "y\n"), .init(seen: "New passcode", typed: "s3cret\n"),
        .init(seen: "again", typed: "s3cret\n"),
      ])
    #expect(set.status == 0 && isThere, "\(set)")
    let again = try TerminalRun(["--home", home, "item", "list"])
    #expect(again.status == 0 && !again.shown.contains("[y/N]"), "\(again)")
    try quit()
    let status = try TerminalRun(["--home", home, "status"])
    #expect(status.status == 0 && !isThere && !status.shown.contains("[y/N]"), "\(status)")
  }
}
