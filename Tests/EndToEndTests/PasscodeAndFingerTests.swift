import Foundation
import TestSupport
import Testing

@Suite("Passcode and fingers, through the command", .timeLimit(.minutes(15)))
struct PasscodeAndFingerTests {
  @Test("A4: a device without a passcode gives no access and says what to do")
  func noPasscode() throws {
    let state = try TestHome()
    let auth = try state.authcore("auth", "--reason", "test")
    #expect(auth.status == 2, "\(auth.account)")
    #expect(auth.errorName == "passcodeNotSet")
    #expect(auth.json["error"]?["number"] == nil)
    #expect(auth.json["error"]?["code"]?.number == -5)
    let lock = try state.authcore("lock")
    #expect(lock.errorName == "passcodeNotSet", "\(lock.account)")
    let add = try state.authcore(
      "item", "add", "--service", "s", "--access", "presence", secret: "x")
    #expect(add.errorName == "passcodeNotSet", "\(add.account)")
  }

  @Test("K5: a passcode is set once, changed with the old one, and removed with it")
  func passcodeLife() throws {
    let state = try TestHome()
    #expect(try state.authcore("passcode", "set", passcode: "first one").status == 0)
    let again = try state.authcore("passcode", "set", passcode: "second")
    #expect(again.status == 3, "\(again.account)")
    let wrong = try state.authcore("passcode", "change", passcode: "no", newPasscode: "second")
    #expect(wrong.status == 1, "\(wrong.account)")
    let change = try state.authcore(
      "passcode", "change", passcode: "first one", newPasscode: "second")
    #expect(change.status == 0, "\(change.account)")
    #expect(try state.authcore("unlock", passcode: "first one").status == 1)
    #expect(try state.authcore("unlock", passcode: "second").status == 0)
    let remove = try state.authcore("passcode", "remove", passcode: "second")
    #expect(remove.status == 0, "\(remove.account)")
    #expect(try state.authcore("status").json["passcodeSet"]?.bool == false)
  }

  @Test(
    "E2 L1 L8: an enrolled finger is accepted, a stranger's is not, with no keychain item about")
  func enrollAndMatch() throws {
    let state = try TestHome()
    try state.setUp()
    let list = try state.authcore("finger", "list")
    #expect(list.json["fingers"]?.array?.first?["name"]?.string == "right-index", "\(list.account)")
    let owner = try state.authcore("--driver", state.ownerTouch(), "finger", "test")
    #expect(owner.status == 0, "\(owner.account)")
    #expect(owner.json["match"]?.bool == true)
    let score = try #require(owner.json["score"]?.number)
    let threshold = try #require(owner.json["threshold"]?.number)
    #expect(score >= threshold)
    let stranger = try state.authcore("--driver", state.strangerTouches(1), "finger", "test")
    #expect(stranger.status == 1, "\(stranger.account)")
    #expect(stranger.json["match"]?.bool == false)
    let auth = try state.authcore(
      "--driver", state.ownerTouch(), "auth", "--policy", "biometrics", "--reason", "test")
    #expect(auth.status == 0, "\(auth.account)")
    #expect(auth.json["by"]?.string == "biometry")
    #expect(auth.json["finger"]?.string == "right-index")
    // L7: a result, and nothing of what the enclave holds.
    #expect(Set(auth.json.keys) == ["authenticated", "by", "finger", "seconds"])
  }

  @Test("a finger enrolled already is refused under another name")
  func duplicate() throws {
    let state = try TestHome()
    try state.setUp()
    let again = try state.authcore(
      "--driver", state.tape(Array(Prints.owner.get()[3..<8])), "finger", "enroll",
      passcode: TestHome.passcode)
    #expect(again.status == 3, "\(again.account)")
    #expect(again.errorName == "duplicateFinger")
  }

  @Test("an enrollment with fewer than three usable touches fails and leaves no finger")
  func incomplete() throws {
    let state = try TestHome()
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    let short = try state.authcore(
      "--driver", state.tape(Array(Prints.owner.get().prefix(2))), "finger", "enroll",
      passcode: TestHome.passcode)
    #expect(short.status == 1, "\(short.account)")
    #expect(short.errorName == "enrolmentIncomplete")
    #expect(try state.authcore("status").json["fingers"]?.number == 0)
  }

  @Test("fingers are renamed and removed, and the domain state follows the set")
  func fingerLife() throws {
    let state = try TestHome()
    try state.setUp()
    let before = try state.authcore("status").json["domainState"]?.string
    let renamed = try state.authcore(
      "finger", "rename", "right-index", "thumb", passcode: TestHome.passcode)
    #expect(renamed.status == 0, "\(renamed.account)")
    #expect(try state.authcore("status").json["domainState"]?.string == before)
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left-index")
    #expect(try state.authcore("status").json["domainState"]?.string != before)
    let missing = try state.authcore(
      "finger", "remove", "nobody", passcode: TestHome.passcode)
    #expect(missing.status == 3, "\(missing.account)")
    let removed = try state.authcore("finger", "remove", "thumb", passcode: TestHome.passcode)
    #expect(removed.status == 0, "\(removed.account)")
    #expect(try state.authcore("finger", "list").json["fingers"]?.array?.count == 1)
  }

  @Test("FINDINGS A13: renaming a finger takes an unlocked device, and the finger or the passcode")
  func renaming() throws {
    let state = try TestHome()
    try state.setUp()
    let unproved = try state.authcore("finger", "rename", "right-index", "thumb")
    #expect(unproved.errorName == "notInteractive", "\(unproved.account)")
    let stranger = try state.authcore(
      "--driver", state.strangerTouches(3), "finger", "rename", "right-index", "thumb")
    #expect(stranger.status == 1, "\(stranger.account)")
    let owner = try state.authcore(
      "--driver", state.ownerTouch(), "finger", "rename", "right-index", "thumb")
    #expect(owner.status == 0, "\(owner.account)")
    #expect(try state.authcore("lock").status == 0)
    let locked = try state.authcore(
      "--driver", state.ownerTouch(), "finger", "rename", "thumb", "x", passcode: TestHome.passcode)
    #expect(locked.status == 4, "\(locked.account)")
    let list = try state.authcore("finger", "list")
    #expect(list.json["fingers"]?.array?.first?["name"]?.string == "thumb", "\(list.account)")
  }

  @Test("E5: five misses in a row lock biometrics out, in every later process, until the passcode")
  func lockout() throws {
    let state = try TestHome()
    try state.setUp()
    let first = try state.authcore(
      "--driver", state.strangerTouches(5), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(first.status == 1, "\(first.account)")
    #expect(first.errorName == "authenticationFailed")
    let second = try state.authcore(
      "--driver", state.strangerTouches(5), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(second.errorName == "biometryLockout", "\(second.account)")
    let owner = try state.authcore(
      "--driver", state.ownerTouch(), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(owner.status == 1, "\(owner.account)")
    #expect(owner.errorName == "biometryLockout")
    #expect(owner.json["error"]?["code"]?.number == -8)
    #expect(try state.authcore("status").json["biometry"]?["lockout"]?.bool == true)
    // The owner policy falls back to the passcode at once (A4).
    let passcode = try state.authcore(
      "--driver", state.ownerTouch(), "auth", "--reason", "x", passcode: TestHome.passcode)
    #expect(passcode.json["by"]?.string == "passcode", "\(passcode.account)")
    let again = try state.authcore(
      "--driver", state.ownerTouch(), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(again.status == 0, "\(again.account)")
  }

  @Test("E5: killing the core and its hosts does not reset the count")
  func lockoutSurvivesKill() throws {
    let state = try TestHome()
    try state.setUp()
    _ = try state.authcore(
      "--driver", state.strangerTouches(3), "auth", "--policy", "biometrics", "--reason", "x")
    for process in state.processes { kill(process, SIGKILL) }
    let status = try state.authcore("status")
    #expect(status.json["biometry"]?["failures"]?.number == 3, "\(status.account)")
  }
}
