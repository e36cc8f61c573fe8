import Foundation
import TestSupport
import Testing

@Suite(
  "State folders of earlier versions", .timeLimit(.minutes(15)),
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
    let closed = try fixture.authcore("item", "get", "--service", fixture.items[0].service)
    #expect(closed.status == 4, "\(closed.account)")
    let unlock = try fixture.authcore("unlock", knowsPasscode: true)
    #expect(unlock.status == 0, "\(unlock.account)")

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
    #expect(try fixture.authcore("unlock", knowsPasscode: true).status == 0)
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
    #expect(try fixture.authcore("unlock", knowsPasscode: true).status == 0)
    for picture in try fixture.pictures() {
      let test = try fixture.authcore("--driver", fixture.tape(picture), "finger", "test")
      #expect(test.json["finger"]?.string == "pictures", "\(test.account)")
    }
    let builtIn = try fixture.authcore("--driver", "replay", "finger", "test")
    #expect(builtIn.json["finger"]?.string == "built-in", "\(builtIn.account)")
  }

  /// What proves ownership to an item.
  private struct Proof {
    let touches: Bool
    let passcode: Bool

    static let nothing = Proof(touches: false, passcode: false)
    static let touch = Proof(touches: true, passcode: false)
    static let passcode = Proof(touches: false, passcode: true)
    static let both = Proof(touches: true, passcode: true)
  }

  /// Each way to open an item of this access, its application password apart.
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
      #expect(
        get.json["secret"]?.string == item.secret.base64EncodedString(), "\(get.account)")
    }
  }

  /// Of a finger either will do, and either kind is tried with everything.
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
      let file = try folder.write(
        "signature", try #require(signature, "\(sign.account)"))
      let verify = try run(
        "/usr/bin/env",
        [
          "openssl", "dgst", "-sha256", "-verify", publicKey.path, "-signature", file.path,
          signed.path,
        ])
      #expect(verify.status == 0, "\(verify.account)")
    }
  }
}
