import Foundation
import TestSupport
import Testing

@Suite(
  "State folders of earlier versions", .timeLimit(.minutes(60)),
  .enabled(
    if: StateFixture.canBeRead,
    "their items are the user 65534's: run as that user or where user namespaces are allowed"))
struct StateFixtureTests {
  @Test(
    "K1 K3: a state folder of an earlier version opens, all of it",
    arguments: ["5a3dfaf", "7a5b593", "a7aed7a"])
  func opens(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    #expect(fixture.items.count >= 29)
    let status = try fixture.authcore("status")
    #expect(status.json["fingers"]?.number == 2, "\(status.account)")
    #expect(status.json["firstUnlocked"]?.bool == false, "\(status.account)")
    try fixture.authcore("item", "get", "--service", fixture.items[0].service).expect(status: 4)
    try fixture.authcore("unlock", knowsPasscode: true).expectSuccess()

    let list = try fixture.authcore("item", "list")
    #expect(list.json["items"]?.array?.count == fixture.items.count, "\(list.account)")
    for item in fixture.items {
      let find = try fixture.authcore("item", "find", "--service", item.service)
      let found = find.json["items"]?.array?.first
      #expect(found?["account"]?.string == "account of \(item.service)", "\(find.account)")
      #expect(found?["label"]?.string == "label of \(item.service)", "\(find.account)")
      #expect(found?["accessible"]?.string == item.accessible, "\(find.account)")
      for proof in Self.proofs(of: item.access) { try open(item, of: fixture, with: proof) }
    }
    for key in try fixture.keys() {
      for proof in Self.proofs(of: key.access) { try sign(with: key, of: fixture, proof) }
    }
  }

  @Test("fingers enrolled by an earlier version want to be enrolled again", arguments: ["5a3dfaf"])
  func wantsEnrollment(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    try fixture.authcore("unlock", knowsPasscode: true).expectSuccess()
    let list = try fixture.authcore("finger", "list")
    let wishes = list.json["fingers"]?.array?.map { $0["wantsEnrollment"]?.bool }
    #expect(wishes == [true, true], "\(list.account)")
    let doctor = try fixture.authcore("--driver", "replay", "doctor")
    #expect(doctor.account.contains("built-in, pictures"), "\(doctor.account)")
  }

  @Test(
    "E2: fingers enrolled by an earlier version still match",
    arguments: ["5a3dfaf", "7a5b593", "a7aed7a"])
  func matches(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    try fixture.authcore("unlock", knowsPasscode: true).expectSuccess()
    for picture in try fixture.pictures() {
      let test = try fixture.authcore("--driver", fixture.tape(picture), "finger", "test")
      #expect(test.json["finger"]?.string == "pictures", "\(test.account)")
    }
    let builtIn = try fixture.authcore("--driver", "replay", "finger", "test")
    #expect(builtIn.json["finger"]?.string == "built-in", "\(builtIn.account)")
  }

  private struct Proof {
    let touches: Bool
    let passcode: Bool

    static let nothing = Proof(touches: false, passcode: false)
    static let touch = Proof(touches: true, passcode: false)
    static let passcode = Proof(touches: false, passcode: true)
    static let both = Proof(touches: true, passcode: true)
  }

  /// Each way to open an item of this access, besides its application password.
  private static func proofs(of access: String) -> [Proof] {
    switch access.replacingOccurrences(of: " and app-password", with: "") {
    case "app-password": [.nothing]
    case "": [.nothing]
    case "passcode": [.passcode]
    case "biometry-any", "biometry-current": [.touch]
    case "presence": [.touch, .passcode]
    default: access.contains(" and ") ? [.both] : [.touch, .passcode]
    }
  }

  private func open(_ item: StateFixture.Item, of fixture: StateFixture, with proof: Proof) throws {
    var arguments = ["item", "get", "--service", item.service]
    if item.access.contains("app-password"), let file = fixture.appPasswordFile {
      arguments += ["--app-password-file", file]
    }
    for driver in Self.drivers(of: fixture, for: proof) {
      let get = try fixture.authcore(arguments + driver, knowsPasscode: proof.passcode)
      #expect(get.json["secret"]?.string == item.secret.base64EncodedString(), "\(get.account)")
    }
  }

  /// Either finger must open everything.
  private static func drivers(of fixture: StateFixture, for proof: Proof) -> [[String]] {
    proof.touches ? [["--driver", fixture.touches], ["--driver", "replay"]] : [[]]
  }

  private func sign(with key: StateFixture.Key, of fixture: StateFixture, _ proof: Proof) throws {
    let folder = try TemporaryFolder()
    let publicKey = try folder.write("public.pem", key.publicKey)
    let message = Data("signed by \(key.name)".utf8)
    let signed = try folder.write("message", message)
    for driver in Self.drivers(of: fixture, for: proof) {
      let sign = try fixture.authcore(
        ["key", "sign", key.name] + driver, input: message, knowsPasscode: proof.passcode)
      let signature = sign.json["signature"]?.string.flatMap { Data(base64Encoded: $0) }
      let file = try folder.write("signature", try #require(signature, "\(sign.account)"))
      try run(
        "/usr/bin/env",
        [
          "openssl", "dgst", "-sha256", "-verify", publicKey.path, "-signature", file.path,
          signed.path,
        ]
      ).expectSuccess()
    }
  }
}

/// Another program of the same user changes files of the state folder.
@Suite("Files of the enclave, changed behind its back", .timeLimit(.minutes(60)))
struct OldFilesTests {
  private func enclave(_ state: TestHome) -> URL {
    URL(filePath: state.home).appending(path: "enclave")
  }

  @Test("K5: an old keybag and finger put back open nothing added since, and status says so")
  func oldKeybag() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "older", secret: "o")
    let old = ["keybag", "finger-1"].map { enclave(state).appending(path: $0) }
    let contents = try old.map { try Data(contentsOf: $0) }
    try state.succeed("passcode", "change", passcode: TestHome.passcode, newPasscode: "another one")
    try state.succeed("finger", "remove", "right-index", passcode: "another one")
    try state.succeed("item", "add", "--service", "newer", secret: "n")
    #expect(try state.authcore("status").json["rollbackDetected"]?.bool == false)
    try state.succeed("quit")
    for (file, data) in zip(old, contents) { try data.write(to: file) }

    let status = try state.authcore("status")
    #expect(status.json["rollbackDetected"]?.bool == true, "\(status.account)")
    let touch = try state.authcore("--driver", state.ownerTouch(), "unlock")
    #expect(touch.status != 0, "\(touch.account)")
    try state.succeed("unlock", passcode: TestHome.passcode)
    try state.succeed("item", "get", "--service", "older")
    try state.authcore("item", "get", "--service", "newer").expect(status: 5, error: "stateDamaged")
    let list = try state.authcore("item", "list")
    #expect(list.json["items"]?.array?.count == 1, "\(list.account)")
    try state.authcore("passcode", "remove", passcode: TestHome.passcode).expect(
      error: "stateDamaged")
  }

  @Test("K5: an erasure that was interrupted is completed, and the keychain begins anew beside it")
  func erasure() throws {
    let state = try TestHome()
    try state.succeed("passcode", "set", "--erase-after", "10", passcode: TestHome.passcode)
    try state.succeed("item", "add", "--service", "older", secret: "o")
    #expect(try state.authcore("status").json["eraseAfter"]?.number == 10)
    #expect(try state.authcore("unlock", passcode: "not this one").status == 1)
    #expect(try state.authcore("status").json["wrongPasscodes"]?.number == 1)
    try state.succeed("quit")
    try Data("authcore erasing 1".utf8).write(to: enclave(state).appending(path: "erasing"))

    let status = try state.authcore("status")
    #expect(status.json["passcodeSet"]?.bool == false, "\(status.account)")
    #expect(status.json["eraseAfter"] == .null, "\(status.account)")
    #expect(status.json["passcodeDelaySeconds"]?.number == 0, "\(status.account)")
    #expect(try state.authcore("item", "get", "--service", "older").status == 3)
    let keychain = try FileManager.default.contentsOfDirectory(atPath: state.home + "/keychain")
    #expect(keychain.contains("keychain.sqlite.lost-1"), "\(keychain)")
    #expect(try state.authcore("doctor").json["findings"] != nil)
    try state.succeed("passcode", "set", passcode: "another one")
    try state.succeed("item", "add", "--service", "newer", secret: "n")
    try state.succeed("item", "get", "--service", "newer")
  }

  @Test(
    "a FIFO in place of a file is refused by its name and keeps nobody waiting",
    arguments: ["finger-1", "keybag"])
  func fifo(name: String) throws {
    let state = try TestHome.enrolled()
    try state.succeed("quit")
    let file = enclave(state).appending(path: name)
    try FileManager.default.removeItem(at: file)
    #expect(unsafe mkfifo(file.path, 0o600) == 0)
    let unlock = try state.authcore("unlock", passcode: TestHome.passcode)
    #expect(unlock.status == (name == "keybag" ? 5 : 0), "\(unlock.account)")
    let test = try state.authcore("--driver", state.ownerTouch(), "finger", "test")
    #expect(test.status == 5, "\(test.account)")
    #expect("\(test.account)".contains(name))
  }
}

@Suite("authcore keychain check and repair", .timeLimit(.minutes(60)))
struct KeychainRepairTests {
  /// Overwrites a page of the keychain's file, from 1.
  private func damage(page: Int, of home: String) throws {
    let file = try FileHandle(
      forUpdating: URL(filePath: home).appending(path: "keychain/keychain.sqlite"))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
  }

  private func file(_ name: String, of home: String) throws -> Data {
    try Data(contentsOf: URL(filePath: home).appending(path: "keychain/\(name)"))
  }

  @Test("a damaged file is found (exit code 5) and kept, and what can be read of it is recovered")
  func damaged() throws {
    let state = try TestHome()
    for number in 0..<3 {
      try state.succeed(
        "item", "add", "--service", "mail", "--account", "\(number)", secret: "\(number)")
    }
    let whole = try state.succeed("keychain", "check")
    #expect(whole.json["damaged"]?.bool == false)
    #expect(whole.json["items"]?.number == 3, "\(whole.account)")
    let nothing = try state.authcore("keychain", "repair")
    #expect(nothing.json["repaired"]?.bool == false, "\(nothing.account)")
    try state.succeed("quit")
    try damage(page: 1, of: state.home)
    let before = try file("keychain.sqlite", of: state.home)

    let check = try state.authcore("keychain", "check")
    #expect(check.status == 5, "\(check.account)")
    #expect(check.json["needsRepair"]?.bool == true, "\(check.account)")
    #expect(check.json["problems"]?.array?.isEmpty == false, "\(check.account)")
    #expect(try state.authcore("item", "list").errorName == "stateDamaged")
    let text = try state.authcore("keychain", "check", json: false)
    #expect(text.text.contains("authcore keychain repair"), "\(text.account)")
    #expect(try file("keychain.sqlite", of: state.home) == before)

    let repair = try state.succeed("keychain", "repair")
    #expect(repair.json["findings"]?["items"]?.number == 3, "\(repair.account)")
    #expect(repair.json["findings"]?["lost"]?.number == 0, "\(repair.account)")
    #expect(repair.json["setAside"]?.string?.hasSuffix("keychain.sqlite.damaged-1") == true)
    #expect(try file("keychain.sqlite.damaged-1", of: state.home) == before)
    try state.succeed("keychain", "check")
    for number in 0..<3 {
      let get = try state.authcore(
        "item", "get", "--service", "mail", "--account", "\(number)", json: false)
      #expect(get.text == "\(number)", "\(get.account)")
    }
  }

  @Test(
    "a file of an earlier version whose beginning is gone gives all of its items and keys",
    .enabled(if: StateFixture.canBeRead, "their items are the user 65534's"),
    arguments: ["5a3dfaf", "7a5b593", "a7aed7a"])
  func older(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    try damage(page: 1, of: fixture.home)
    try fixture.authcore("unlock", knowsPasscode: true).expectSuccess()
    let repair = try fixture.authcore("keychain", "repair")
    let findings = repair.json["findings"]
    #expect(findings?["items"]?.number == Double(fixture.items.count), "\(repair.account)")
    #expect(findings?["keys"]?.number == Double(try fixture.keys().count), "\(repair.account)")
    #expect(findings?["damagedCount"]?.number == 0, "\(repair.account)")
    #expect(findings?["unopened"]?.number == 0, "\(repair.account)")
    let list = try fixture.authcore("item", "list")
    #expect(list.json["items"]?.array?.count == fixture.items.count, "\(list.account)")
    for item in fixture.items where item.access.isEmpty {
      let get = try fixture.authcore("item", "get", "--service", item.service)
      #expect(get.json["secret"]?.string == item.secret.base64EncodedString(), "\(get.account)")
    }
  }
}
