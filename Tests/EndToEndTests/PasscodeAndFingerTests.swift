import Foundation
import TestSupport
import Testing

@Suite("Passcode and fingers, through the command", .timeLimit(.minutes(60)))
struct PasscodeAndFingerTests {
  @Test("A4: a device without a passcode gives no access and says what to do")
  func noPasscode() throws {
    let state = try TestHome()
    let auth = try state.authcore("auth", "--reason", "test")
    #expect(auth.status == 2, "\(auth.account)")
    #expect(auth.errorName == "passcodeNotSet")
    #expect(auth.json["error"]?["number"] == nil)
    #expect(auth.json["error"]?["code"]?.number == -5)
    try state.authcore("lock").expect(error: "passcodeNotSet")
    try state.authcore("item", "add", "--service", "s", "--access", "presence", secret: "x").expect(
      error: "passcodeNotSet")
  }

  @Test("K5: a passcode is set once, changed with the old one, and removed with it")
  func passcodeLife() throws {
    let state = try TestHome()
    try state.succeed("passcode", "set", passcode: "first one")
    try state.authcore("passcode", "set", passcode: "second").expect(status: 3)
    try state.authcore("passcode", "change", passcode: "no", newPasscode: "second").expect(
      status: 1)
    try state.succeed("passcode", "change", passcode: "first one", newPasscode: "second")
    #expect(try state.authcore("unlock", passcode: "first one").status == 1)
    try state.succeed("unlock", passcode: "second")
    try state.succeed("passcode", "remove", passcode: "second")
    #expect(try state.authcore("status").json["passcodeSet"]?.bool == false)
  }

  @Test(
    "E2 L1 L8: an enrolled finger is accepted, a stranger's is not, with no keychain item about")
  func enrollAndMatch() throws {
    let state = try TestHome.enrolled()
    let list = try state.authcore("finger", "list")
    #expect(list.json["fingers"]?.array?.first?["name"]?.string == "right-index", "\(list.account)")
    let owner = try state.succeed("--driver", state.ownerTouch(), "finger", "test")
    #expect(owner.json["match"]?.bool == true)
    let score = try #require(owner.json["score"]?.number)
    let threshold = try #require(owner.json["threshold"]?.number)
    #expect(score >= threshold)
    let stranger = try state.authcore("--driver", state.strangerTouches(1), "finger", "test")
    #expect(stranger.status == 1, "\(stranger.account)")
    #expect(stranger.json["match"]?.bool == false)
    let auth = try state.succeed(
      "--driver", state.ownerTouch(), "auth", "--policy", "biometrics", "--reason", "test")
    #expect(auth.json["by"]?.string == "biometry")
    #expect(auth.json["finger"]?.string == "right-index")
    // L7: a result, and nothing that the enclave holds.
    #expect(Set(auth.json.keys) == ["authenticated", "by", "finger", "seconds"])
  }

  @Test("a finger enrolled already is refused under another name")
  func duplicate() throws {
    let state = try TestHome.enrolled()
    try state.authcore(
      "--driver", state.tape(Array(Prints.owner.get()[3..<8])), "finger", "enroll",
      passcode: TestHome.passcode
    ).expect(status: 3, error: "duplicateFinger")
  }

  @Test("an enrollment with fewer than three usable touches fails and leaves no finger")
  func incomplete() throws {
    let state = try TestHome.withPasscode()
    try state.authcore(
      "--driver", state.tape(Array(Prints.owner.get().prefix(2))), "finger", "enroll",
      passcode: TestHome.passcode
    ).expect(status: 1, error: "enrolmentIncomplete")
    #expect(try state.authcore("status").json["fingers"]?.number == 0)
  }

  @Test("fingers are renamed and removed, and the domain state follows the set")
  func fingerLife() throws {
    let state = try TestHome.enrolled()
    let before = try state.authcore("status").json["domainState"]?.string
    try state.succeed("finger", "rename", "right-index", "thumb", passcode: TestHome.passcode)
    #expect(try state.authcore("status").json["domainState"]?.string == before)
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left-index")
    #expect(try state.authcore("status").json["domainState"]?.string != before)
    try state.authcore("finger", "remove", "nobody", passcode: TestHome.passcode).expect(status: 3)
    try state.succeed("finger", "remove", "thumb", passcode: TestHome.passcode)
    #expect(try state.authcore("finger", "list").json["fingers"]?.array?.count == 1)
  }

  @Test("FINDINGS A13: renaming a finger takes an unlocked device, and the finger or the passcode")
  func renaming() throws {
    let state = try TestHome.enrolled()
    try state.authcore("finger", "rename", "right-index", "thumb").expect(error: "notInteractive")
    try state.authcore(
      "--driver", state.strangerTouches(3), "finger", "rename", "right-index", "thumb"
    ).expect(status: 1)
    try state.succeed("--driver", state.ownerTouch(), "finger", "rename", "right-index", "thumb")
    try state.succeed("lock")
    try state.authcore(
      "--driver", state.ownerTouch(), "finger", "rename", "thumb", "x", passcode: TestHome.passcode
    ).expect(status: 4)
    let list = try state.authcore("finger", "list")
    #expect(list.json["fingers"]?.array?.first?["name"]?.string == "thumb", "\(list.account)")
  }

  @Test("E5: five misses in a row lock biometrics out, in every later process, until the passcode")
  func lockout() throws {
    let state = try TestHome.enrolled()
    try state.authcore(
      "--driver", state.strangerTouches(5), "auth", "--policy", "biometrics", "--reason", "x"
    ).expect(status: 1, error: "authenticationFailed")
    try state.authcore(
      "--driver", state.strangerTouches(5), "auth", "--policy", "biometrics", "--reason", "x"
    ).expect(error: "biometryLockout")
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
    try state.succeed(
      "--driver", state.ownerTouch(), "auth", "--policy", "biometrics", "--reason", "x")
  }

  @Test("E5: killing the core and its hosts does not reset the count")
  func lockoutSurvivesKill() throws {
    let state = try TestHome.enrolled()
    _ = try state.authcore(
      "--driver", state.strangerTouches(3), "auth", "--policy", "biometrics", "--reason", "x")
    for process in state.processes { kill(process, SIGKILL) }
    let status = try state.authcore("status")
    #expect(status.json["biometry"]?["failures"]?.number == 3, "\(status.account)")
  }
}

@Suite("Passcodes of every form, through the command", .timeLimit(.minutes(60)))
struct PasscodeFormCommandTests {
  private let state: TestHome

  init() throws { state = try TestHome() }

  private func with(_ passcode: [UInt8], _ command: String...) throws -> CommandRun {
    let file = try state.folder.write("passcode-\(UUID().uuidString)", Data(passcode)).path
    return try state.authcore(["--passcode-file", file] + command)
  }

  @Test("K5: two forms of one text are one passcode, and two texts are two")
  func forms() throws {
    let (composed, decomposed) = (Array("caf\u{E9} 5".utf8), Array("cafe\u{301} 5".utf8))
    #expect(try with(decomposed, "passcode", "set").status == 0)
    for typed in [composed, decomposed] {
      try with(typed, "unlock").expectSuccess()
    }
    #expect(try with(Array("cafe 5".utf8), "unlock").errorName == "authenticationFailed")
  }

  @Test(
    "K5: passcodes with NULs and of bytes that are no text are taken to the last byte",
    arguments: [
      [0x61, 0, 0x62, 0], [0xFF, 0xFE, 0x80, 0xC3], [0x65, 0xCC, 0x81, 0xFF, 0xFE, 0x41],
    ])
  func bytes(passcode: [UInt8]) throws {
    #expect(try with(passcode, "passcode", "set").status == 0)
    #expect(try with(passcode, "unlock").status == 0)
    #expect(try with(passcode + [0], "unlock").errorName == "authenticationFailed")
    #expect(try with(Array(passcode.dropLast()), "unlock").errorName == "authenticationFailed")
  }

  @Test("a passcode of 1 MiB, or too long in normal form, is refused and not cut")
  func long() throws {
    let huge = [UInt8](repeating: 0x61, count: 1 << 20)
    let set = try with(huge, "passcode", "set")
    #expect(set.status == 64 && set.errorName == "usage", "\(set.account)")
    try with(Array(String(repeating: "\u{1D160}", count: 200).utf8), "passcode", "set").expect(
      status: 64, error: "usage")
    let longest = [UInt8](repeating: 0x61, count: 1024)
    #expect(try with(longest, "passcode", "set").status == 0)
    #expect(try with(huge, "unlock").status == 64)
    #expect(try with(longest, "unlock").status == 0)
  }

  @Test("K5: fewer than four characters are passcodeTooShort, and fewer than six bring a warning")
  func short() throws {
    for passcode in ["123", " 1 2 3 ", "\u{E4}\u{F6}\u{FC}", "a\u{308}o\u{308}u\u{308}"] {
      let set = try with(Array(passcode.utf8), "passcode", "set")
      #expect(set.status == 64 && set.errorName == "passcodeTooShort", "\(set.account)")
    }
    let four = try with(Array("\u{E4}\u{F6}\u{FC}\u{DF}".utf8), "passcode", "set")
    #expect(four.status == 0 && four.errors.contains("4 characters"), "\(four.account)")
    let file = try state.folder.write("six", "123456")
    let six = try with(
      Array("\u{E4}\u{F6}\u{FC}\u{DF}".utf8), "passcode", "change", "--new-passcode-file", file)
    #expect(six.status == 0 && !six.errors.contains("characters"), "\(six.account)")
  }
}
