import Foundation
import TestSupport
import Testing

@Suite("What a change of the fingers closes", .timeLimit(.minutes(60)))
struct FingerChangeTests {
  /// An item and a key bound to the set of fingers, and an item that is not.
  private static func device() throws -> TestHome {
    let state = try TestHome.enrolled()
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
      let refused = try state.authcore(command)
      #expect(refused.status == 64, "\(refused.account)")
      for word in ["1 item and 1 key", "bank", "signer", "--yes"] {
        #expect(refused.text.contains(word), "\(refused.account)")
      }
      #expect(!refused.text.contains("mail"), "\(refused.account)")
    }
    #expect(try lost(state, "item", "items").isEmpty && lost(state, "key", "keys").isEmpty)
    try state.succeed(
      "--driver", touches, "finger", "enroll", "--name", "left", "--yes",
      passcode: TestHome.passcode)
    #expect(try lost(state, "item", "items") == ["bank"])
    #expect(try lost(state, "key", "keys") == ["signer"])
    let list = try state.authcore("item", "list", json: false)
    #expect(list.text.contains("the fingers changed"), "\(list.account)")
    // What is lost already does not count again.
    try state.succeed("finger", "remove", "left", passcode: TestHome.passcode)
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

@Suite("Guarded items in backups, through the command", .timeLimit(.minutes(60)))
struct GuardedBackupCommandTests {
  private struct Device {
    let state: TestHome
    let passphrase: String
    let passcode: String
    var file: String { state.folder.file("protected.backup") }

    init() throws {
      state = try TestHome.enrolled()
      passphrase = try state.folder.write("phrase", "correct horse\n")
      passcode = try state.folder.write("code", TestHome.passcode + "\n")
    }

    func add(_ service: String, _ access: String?) throws {
      let options = access.map { ["--access", $0] } ?? []
      let add = try state.authcore(
        ["item", "add", service] + options, secret: "gold of \(service)", json: false)
      try #require(add.status == 0, "\(add.account)")
    }

    func backup(_ arguments: [String], driver: String? = nil) throws -> CommandRun {
      try state.authcore(
        ["backup"] + arguments + ["--passphrase-file", passphrase, "--passcode-file", passcode]
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
    try first.state.succeed("key", "create", "deploy")
    let create = try first.backup(
      ["create", first.file, "--include-protected"], driver: first.state.ownerTouch()
    ).expectSuccess()
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
    // A device without a finger cannot guard it, so nothing is restored.
    let third = try TestHome.withPasscode()
    try third.authcore("backup", "restore", first.file, "--passphrase-file", first.passphrase)
      .expect(error: "biometryNotEnrolled")
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
    let create = try device.backup(["create", device.file, "--include-protected"]).expectSuccess()
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

@Suite("Several items behind one prompt, through the command", .timeLimit(.minutes(60)))
struct SeveralItemsTests {
  /// The secrets that a command wrote, by account.
  private func secrets(_ run: CommandRun) -> [String: String] {
    var secrets: [String: String] = [:]
    for entry in run.json["items"]?.array ?? [] {
      guard let account = entry["item"]?["account"]?.string,
        let secret = entry["secret"]?.string.flatMap({ Data(base64Encoded: $0) })
      else { continue }
      secrets[account] = String(decoding: secret, as: UTF8.self)
    }
    return secrets
  }

  private func add(_ account: String, access: String?, to state: TestHome) throws {
    let guarded = access.map { ["--access", $0] } ?? []
    try state.succeed(
      ["item", "add", "--service", "vault", "--account", account] + guarded,
      secret: "gold of \(account)")
  }

  @Test("A8: items that ask for the same open behind one touch")
  func oneTouch() throws {
    let state = try TestHome.enrolled()
    try add("ann", access: "biometry-current", to: state)
    try add("bob", access: "biometry-any", to: state)
    try add("eve", access: "presence", to: state)
    try add("", access: nil, to: state)
    // The tape has one touch: another one would never come.
    let get = try state.succeed(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all")
    #expect(
      secrets(get) == [
        "ann": "gold of ann", "bob": "gold of bob", "eve": "gold of eve", "": "gold of ",
      ])
    #expect(get.text.split(separator: "\n").count == 1)
    // The proof counts for that command alone.
    try state.authcore("item", "get", "--service", "vault", "--account", "eve").expect(
      error: "notInteractive")
  }

  @Test("A8: items that ask for different things bring a prompt each")
  func twoProofs() throws {
    let state = try TestHome.enrolled()
    try add("ann", access: "biometry-any", to: state)
    try add("bob", access: "passcode", to: state)
    try add("eve", access: "biometry-any and passcode", to: state)
    let get = try state.succeed(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all",
      passcode: TestHome.passcode)
    #expect(secrets(get).count == 3)
    // If one cannot be opened, nothing is written.
    let touch = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all")
    #expect(touch.errorName == "notInteractive", "\(touch.account)")
    #expect(!touch.text.contains("items"))
  }

  @Test("an item that cannot be opened any more is named, and nothing is written")
  func oneIsGone() throws {
    let state = try TestHome.enrolled()
    try add("ann", access: "biometry-any", to: state)
    try add("bob", access: "biometry-current", to: state)
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left")
    let get = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all")
    #expect(get.errorName == "errSecAuthFailed", "\(get.account)")
    #expect(get.json["error"]?["message"]?.string?.contains("vault / bob") == true)
    #expect(!get.text.contains("items"))
  }

  @Test("what get --all cannot mean is said before anybody is asked")
  func usage() throws {
    let state = try TestHome()
    try add("ann", access: nil, to: state)
    try add("bob", access: nil, to: state)
    let plain = try state.authcore("item", "get", "--service", "vault", "--all", json: false)
    #expect(plain.status == 64 && plain.output.isEmpty, "\(plain.account)")
    #expect(plain.errors.contains("--json"))
    #expect(try state.authcore("item", "get", "--all").errorName == "usage")
    #expect(try state.authcore("item", "get").errorName == "usage")
    try state.authcore("item", "get", "--service", "vault", "--reason", "").expect(
      error: "invalidReason")
    let several = try state.authcore("item", "get", "--service", "vault")
    #expect(several.errorName == "ambiguous")
    #expect(several.json["error"]?["hint"]?.string?.contains("--all --json") == true)
    try state.authcore("item", "get", "--service", "nothing", "--all").expect(status: 3)
    #expect(secrets(try state.authcore("item", "get", "--service", "vault", "--all")).count == 2)
  }
}
