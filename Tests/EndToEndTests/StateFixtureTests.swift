import Foundation
import Testing

@Suite(
  "State folders of earlier versions", .timeLimit(.minutes(15)),
  .enabled(
    if: StateFixture.canBeRead,
    "their items are the user 65534's: run as that user or where user namespaces are allowed"))
struct StateFixtureTests {
  @Test(
    "K1 K3: a state folder of an earlier version opens, all of it",
    arguments: ["5a3dfaf", "7a5b593"])
  func opens(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    #expect(fixture.items.count == 29)
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
    "E2: fingers enrolled by an earlier version still match", arguments: ["5a3dfaf", "7a5b593"])
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

  /// Each way to open an item of this access.
  private static func proofs(of access: String) -> [Proof] {
    switch access {
    case "": [.nothing]
    case "passcode": [.passcode]
    case "biometry-any", "biometry-current": [.touch]
    case "presence": [.touch, .passcode]
    default: access.contains(" and ") ? [.both] : [.touch, .passcode]
    }
  }

  private func open(_ item: StateFixture.Item, of fixture: StateFixture, with proof: Proof) throws {
    // Of a finger either will do, and either kind is tried with every item.
    for driver in proof.touches ? [fixture.touches, "replay"] : [nil] {
      let get =
        if let driver {
          try fixture.authcore(
            "item", "get", "--service", item.service, "--driver", driver,
            knowsPasscode: proof.passcode)
        } else {
          try fixture.authcore(
            "item", "get", "--service", item.service, knowsPasscode: proof.passcode)
        }
      #expect(
        get.json["secret"]?.string == item.secret.base64EncodedString(), "\(get.account)")
    }
  }
}
