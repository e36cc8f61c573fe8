import TestSupport
import Foundation
import Testing

@Suite("What a change of the fingers closes", .timeLimit(.minutes(15)))
struct FingerChangeTests {
  /// A finger, and an item and a key that its set opens, beside one that stays.
  private static func device() throws -> TestHome {
    let state = try TestHome()
    try state.setUp()
    for (service, access) in [("bank", "biometry-current"), ("mail", "presence")] {
      let add = try state.authcore("item", "add", service, "--access", access, secret: "gold")
      try #require(add.status == 0, "\(add.account)")
    }
    let key = try state.authcore("key", "create", "signer", "--access", "biometry-current")
    try #require(key.status == 0, "\(key.account)")
    return state
  }

  private func lost(_ state: TestHome, _ command: String, _ list: String) throws -> [String] {
    let run = try state.authcore(command, "list")
    return (run.json[list]?.array ?? []).filter { $0["lost"]?.bool == true }
      .compactMap { ($0["service"] ?? $0["name"])?.string }
  }

  @Test("FINDINGS B2: enrolling and removing say what they close for good, and want --yes")
  func scripts() throws {
    let state = try Self.device()
    let touches = try state.tape(Array(Prints.second.get().prefix(5)))
    for command in [
      ["--driver", touches, "finger", "enroll", "--name", "left"],
      ["finger", "remove", "right-index"],
    ] {
      let refused = try run(
        "authcore", ["--json", "--home", state.home] + command)
      #expect(refused.status == 64, "\(refused.account)")
      for word in ["1 item and 1 key", "bank", "signer", "--yes"] {
        #expect(refused.text.contains(word), "\(refused.account)")
      }
      #expect(!refused.text.contains("mail"), "\(refused.account)")
    }
    #expect(try lost(state, "item", "items").isEmpty && lost(state, "key", "keys").isEmpty)
    let done = try state.authcore(
      "--driver", touches, "finger", "enroll", "--name", "left", "--yes",
      passcode: TestHome.passcode)
    #expect(done.status == 0, "\(done.account)")
    #expect(try lost(state, "item", "items") == ["bank"])
    #expect(try lost(state, "key", "keys") == ["signer"])
    let list = try state.authcore("item", "list", json: false)
    #expect(list.text.contains("the fingers changed"), "\(list.account)")
    // What is lost already is lost by nothing more.
    let removed = try state.authcore("finger", "remove", "left", passcode: TestHome.passcode)
    #expect(removed.status == 0, "\(removed.account)")
  }

  @Test(
    "FINDINGS B2: on a terminal the list is shown, and another word than the one asked for ends it")
  func terminal() throws {
    let state = try Self.device()
    func remove(typing word: String, then steps: [TerminalRun.Step] = []) throws -> TerminalRun {
      try TerminalRun(
        ["--home", state.home, "finger", "remove", "right-index"],
        [.init(seen: "Type remove", typed: word + "\n")] + steps)
    }
    let refused = try remove(typing: "no")
    #expect(refused.status == 1 && refused.shown.contains("bank"), "\(refused.shown)")
    #expect(try state.authcore("finger", "list").json["fingers"]?.array?.count == 1)
    let agreed = try remove(
      typing: "remove", then: [.init(seen: "Passcode", typed: TestHome.passcode + "\n")])
    #expect(agreed.status == 0, "\(agreed.shown)")
    #expect(try lost(state, "item", "items") == ["bank"])
  }
}

@Suite("Guarded items in backups, through the command", .timeLimit(.minutes(15)))
struct GuardedBackupCommandTests {
  private struct Device {
    let state: TestHome
    let passphrase: String
    let passcode: String
    var file: String { state.folder.url.appendingPathComponent("protected.backup").path }

    init() throws {
      state = try TestHome()
      try state.setUp()
      passphrase = try state.folder.write("phrase", Data("correct horse\n".utf8)).path
      passcode = try state.folder.write("code", Data((TestHome.passcode + "\n").utf8)).path
    }

    func add(_ service: String, _ access: String?) throws {
      let options = access.map { ["--access", $0] } ?? []
      let add = try run(
        "authcore", ["--home", state.home, "item", "add", service] + options,
        input: Data("gold of \(service)".utf8))
      try #require(add.status == 0, "\(add.account)")
    }

    func backup(_ arguments: [String], driver: String? = nil) throws -> CommandRun {
      try run(
        "authcore",
        ["--json", "--home", state.home, "backup"] + arguments
          + ["--passphrase-file", passphrase, "--passcode-file", passcode]
          + (driver.map { ["--driver", $0] } ?? []))
    }
  }

  @Test(
    "FINDINGS B7: by a touch and the passcode everything leaves, and the other device guards it")
  func everything() throws {
    let first = try Device()
    for (service, access) in [
      ("free", nil), ("bank", "biometry-current"), ("mail", "presence"), ("safe", "passcode"),
      ("wine", "biometry-current or passcode"),
    ] { try first.add(service, access) }
    #expect(try first.state.authcore("key", "create", "deploy").status == 0)
    let create = try first.backup(
      ["create", first.file, "--include-protected"], driver: first.state.ownerTouch())
    #expect(create.status == 0, "\(create.account)")
    #expect(create.json["items"]?.number == 5 && create.json["protected"]?.number == 4)
    #expect(create.json["leftOut"]?.number == 1, "\(create.account)")
    let names = create.json["leftOutItems"]?.array?.map { $0["name"]?.string }
    #expect(names == ["deploy"], "\(create.account)")

    let second = try Device()
    let restore = try second.backup(["restore", first.file])
    #expect(restore.json["added"]?.number == 5, "\(restore.account)")
    let items = try second.state.authcore("item", "list").json["items"]?.array ?? []
    let bank = try #require(items.first { $0["service"]?.string == "bank" })
    #expect(bank["access"]?.string == "biometry-current")
    let get = try second.state.authcore(
      "--driver", try second.state.ownerTouch(7), "item", "get", "bank", json: false)
    #expect(get.text == "gold of bank", "\(get.account)")
    // A device without a finger cannot guard it: nothing comes.
    let third = try TestHome()
    #expect(try third.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    let without = try run(
      "authcore",
      [
        "--json", "--home", third.home, "backup", "restore", first.file, "--passphrase-file",
        first.passphrase,
      ])
    #expect(without.errorName == "biometryNotEnrolled", "\(without.account)")
    #expect(try third.authcore("item", "list").json["items"] == .array([]))
  }

  @Test(
    "FINDINGS B7: without a reader what only a finger opens stays out, by name, and the rest leaves"
  )
  func withoutReader() throws {
    let device = try Device()
    for (service, access) in [
      ("bank", "biometry-current"), ("card", "biometry-any"), ("mail", "presence"),
    ] { try device.add(service, access) }
    let create = try device.backup(["create", device.file, "--include-protected"])
    #expect(create.status == 0, "\(create.account)")
    #expect(create.json["items"]?.number == 1 && create.json["protected"]?.number == 1)
    let names = create.json["leftOutItems"]?.array?.map { $0["name"]?.string }
    #expect(names == ["bank", "card"], "\(create.account)")
  }

  @Test("FINDINGS B7: the prompt says how many protected items leave, and what they are called")
  func prompt() throws {
    let device = try Device()
    for service in ["bank", "mail"] { try device.add(service, "presence") }
    let shown = try TerminalRun(
      [
        "--home", device.state.home, "--driver", try device.state.ownerTouch(), "backup", "create",
        device.file, "--include-protected", "--passphrase-file", device.passphrase,
      ])
    #expect(shown.status == 0, "\(shown.shown)")
    #expect(shown.shown.contains("2 protected items: bank, mail"), "\(shown.shown)")
  }
}
