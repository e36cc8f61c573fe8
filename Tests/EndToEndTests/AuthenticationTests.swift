import Foundation
import TestSupport
import Testing

@Suite("Local authentication, through the command", .timeLimit(.minutes(15)))
struct AuthenticationTests {
  @Test("L6: an empty reason is an error")
  func emptyReason() throws {
    let state = try TestHome()
    let auth = try state.authcore("auth", "--reason", "")
    #expect(auth.status == 64, "\(auth.account)")
    #expect(auth.errorName == "invalidReason")
  }

  @Test("L2: whether the device can is told with the reason why not, in the order of the contract")
  func canEvaluate() throws {
    let state = try TestHome()
    func can(_ policy: String, driver: Bool) throws -> CommandRun {
      let sensor = driver ? ["--driver", try state.ownerTouch()] : []
      return try run(
        "authcore",
        ["--json", "--home", state.home] + sensor + ["auth", "--can", "--policy", policy])
    }
    #expect(try can("owner", driver: true).errorName == "passcodeNotSet")
    #expect(try can("biometrics", driver: false).errorName == "biometryNotAvailable")
    #expect(try can("biometrics", driver: true).errorName == "biometryNotEnrolled")
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    let readerless = try can("owner", driver: false)
    #expect(readerless.json["can"]?.bool == true, "\(readerless.account)")
    #expect(readerless.json["biometryType"]?.string == "none")
    // A reader counts without a finger, too.
    #expect(try can("owner", driver: true).json["biometryType"]?.string == "touchID")
    try state.enroll(Array(Prints.owner.get().prefix(5)))
    let able = try can("biometrics", driver: true)
    #expect(able.status == 0, "\(able.account)")
    #expect(able.json["biometryType"]?.string == "touchID")
    // Before the first unlock of a new core nothing can be matched.
    #expect(try state.authcore("quit").status == 0)
    #expect(try can("biometrics", driver: true).errorName == "biometryLockout")
  }

  @Test("L4: the fallback of biometrics is the application's, the owner policy's is the passcode")
  func fallback() throws {
    let state = try TestHome()
    try state.setUp()
    let biometrics = try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "fallback", "auth", "--policy", "biometrics",
      "--reason", "x")
    #expect(biometrics.status == 1, "\(biometrics.account)")
    #expect(biometrics.errorName == "userFallback")
    let owner = try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "fallback", "auth", "--reason", "x",
      passcode: TestHome.passcode)
    #expect(owner.json["by"]?.string == "passcode", "\(owner.account)")
  }

  @Test("L10: cancelling is told apart")
  func cancel() throws {
    let state = try TestHome()
    try state.setUp()
    let auth = try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "cancel", "auth", "--reason", "x")
    #expect(auth.status == 1, "\(auth.account)")
    #expect(auth.errorName == "userCancel")
  }

  @Test("L10: no touch ends as a timeout, and a passcode at hand is not volunteered")
  func timeout() throws {
    let state = try TestHome()
    try state.setUp()
    let auth = try state.authcore(
      "--driver", state.tape(["noise too-dry", "wait 250ms"]), "auth", "--reason", "x",
      passcode: TestHome.passcode)
    #expect(auth.status == 1, "\(auth.account)")
    #expect(auth.errorName == "timedOut")
  }

  @Test("A4: unplugging during a touch offers the passcode")
  func unplug() throws {
    let state = try TestHome()
    try state.setUp()
    let owner = try state.authcore(
      "--driver", state.tape(["unplug"]), "auth", "--reason", "x",
      passcode: TestHome.passcode)
    #expect(owner.status == 0, "\(owner.account)")
    #expect(owner.json["by"]?.string == "passcode")
    let biometrics = try state.authcore(
      "--driver", state.tape(["unplug"]), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(biometrics.errorName == "biometryDisconnected", "\(biometrics.account)")
  }

  @Test("A6: without a terminal and without a passcode a command that needs one says so")
  func notInteractive() throws {
    let state = try TestHome()
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    let auth = try state.authcore("auth", "--reason", "x")
    #expect(auth.status == 2, "\(auth.account)")
    #expect(auth.errorName == "notInteractive")
    #expect(auth.json["error"]?["code"]?.number == -1004)
  }

  @Test("L10: a wrong passcode is authenticationFailed")
  func wrongPasscode() throws {
    let state = try TestHome()
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    let auth = try state.authcore("auth", "--reason", "x", passcode: "wrong")
    #expect(auth.status == 1, "\(auth.account)")
    #expect(auth.errorName == "authenticationFailed")
  }

  @Test("a refused frame is no miss, and the next touch counts")
  func retries() throws {
    let state = try TestHome()
    try state.setUp()
    let touch = try Prints.owner.get()[7].path
    let auth = try state.authcore(
      "--driver",
      state.tape([
        "noise too-dry", "noise center", "noise too-wet", "noise lift", "touch \(touch)",
      ]), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(auth.status == 0, "\(auth.account)")
    #expect(try state.authcore("status").json["biometry"]?["failures"]?.number == 0)
  }

  @Test("prints of a synthetic driver never match a finger of a real one")
  func syntheticNeverMatchesReal() throws {
    let state = try TestHome()
    try state.setUp()
    let auth = try state.authcore(
      "--driver", "replay", "auth", "--policy", "biometrics", "--reason", "x")
    #expect(auth.errorName == "biometryNotEnrolled", "\(auth.account)")
  }
}
