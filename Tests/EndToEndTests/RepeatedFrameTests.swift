import Foundation
import TestSupport
import Testing

@Suite("Frames that a driver delivers again, through the command", .timeLimit(.minutes(15)))
struct RepeatedFrameTests {
  /// A device whose owner enrolled with a driver of somebody's, and what that driver hands out.
  ///
  /// The driver is the replay driver's file in another folder: as hostile as one that hands out its
  /// last frame again, and as little at home beside the core.
  private struct Attack {
    let state: TestHome
    private let copy: String

    init() throws {
      state = try TestHome()
      copy = state.folder.url.appendingPathComponent("libauthcore-driver-replay.so").path
      try FileManager.default.copyItem(
        atPath: Products.program("libauthcore-driver-replay.so"), toPath: copy)
      let set = try state.authcore("passcode", "set", passcode: TestHome.passcode)
      #expect(set.status == 0, "\(set.account)")
      let enrolled = try state.authcore(
        "--driver", driver(Array(0..<5)), "finger", "enroll", passcode: TestHome.passcode)
      #expect(enrolled.status == 0, "\(enrolled.account)")
      let add = try state.authcore(
        "item", "add", "bank", "me", "--access", "biometry-current", secret: "s3cret")
      #expect(add.status == 0, "\(add.account)")
    }

    /// The driver with these impressions of the owner's finger, each of them once and then again.
    func driver(_ impressions: [Int], again: Int = 0) throws -> String {
      let lines = try impressions.flatMap { number in
        ["touch \(try Prints.owner.get()[number].path)"] + (again > 0 ? ["repeat \(again)"] : [])
      }
      return try state.tape(lines).replacingOccurrences(of: "replay:", with: copy + ":")
    }

    func open(_ driver: String) throws -> CommandRun {
      try state.authcore("--driver", driver, "item", "get", "bank")
    }
  }

  @Test("FINDINGS A2: a driver that hands out its last frame again opens an item once, not thrice")
  func opensOnce() throws {
    let attack = try Attack()
    let first = try attack.open(attack.driver([5], again: 3))
    #expect(first.status == 0, "\(first.account)")
    for _ in 0..<2 {
      let again = try attack.open(attack.driver([5], again: 3))
      #expect(again.status == 1 && again.errorName == "timedOut", "\(again.account)")
    }
    let enrolled = try attack.open(attack.driver([0, 1, 2, 3, 4]))
    #expect(enrolled.status == 1, "\(enrolled.account)")
    #expect(try attack.state.authcore("status").json["biometry"]?["failures"]?.number == 0)
    // A request that meets nothing else ends, after so many frames.
    let endless = try attack.open(attack.driver([5], again: 9_000))
    #expect(endless.errorName == "biometryDisconnected", "\(endless.account)")
    #expect(try attack.state.authcore("quit").status == 0)
    let unlock = try attack.state.authcore("unlock", passcode: TestHome.passcode)
    #expect(unlock.status == 0, "\(unlock.account)")
    #expect(try attack.open(attack.driver([5])).status == 1)
    let fresh = try attack.open(attack.driver([6]))
    #expect(fresh.status == 0, "\(fresh.account)")
  }

  @Test("FINDINGS A2: the replay driver beside the core may repeat, by its path; status says so")
  func exempt() throws {
    let attack = try Attack()
    let elsewhere = try attack.state.authcore("--driver", attack.driver([5]), "status")
    #expect(elsewhere.json["driver"]?["framesMayRepeat"]?.bool == false, "\(elsewhere.account)")
    // A reader's finger never matches a tape.
    let tape = try attack.state.tape(["touch \(try Prints.owner.get()[5].path)", "repeat 3"])
    let other = try attack.open(tape)
    #expect(other.errorName == "biometryNotEnrolled", "\(other.account)")

    let state = try TestHome()
    try state.setUp()
    let own = try state.authcore("--driver", tape, "status")
    #expect(own.json["driver"]?["framesMayRepeat"]?.bool == true, "\(own.account)")
    let text = try state.authcore("--driver", tape, "status", json: false)
    #expect(text.text.contains("frames may repeat"), "\(text.account)")
    for _ in 0..<2 {
      let auth = try state.authcore(
        "--driver", tape, "auth", "--policy", "biometrics", "--reason", "x")
      #expect(auth.status == 0, "\(auth.account)")
    }
  }
}
