import PolicyEngine
import Protocol
import Testing

/// Whole calls, as a person goes through them.
@Suite("Policy walks")
struct PolicyWalkTests {
  /// A call under way: events go in, the step that follows comes out.
  private struct Call {
    var question: PolicyQuestion

    init(_ request: PolicyRequest, _ change: (inout PolicyQuestion) -> Void = { _ in }) {
      var device = DeviceState()
      device.hasSensor = true
      device.isPasscodeSet = true
      device.fingers = 1
      device.isFirstUnlocked = true
      question = PolicyQuestion(request: request, device: device)
      change(&question)
    }

    mutating func after(_ event: CallProgress.Event) -> String {
      question.progress.lastEvent = event
      if event == .missed { question.progress.misses += 1 }
      if event == .passcodeRefused { question.progress.refusedPasscodes += 1 }
      return PolicyEngine.decide(question).text
    }
  }

  @Test("A4: no passcode gives no access, a passcode asks for it, Touch ID is preferred to it")
  func deviceTable() {
    var bare = Call(.owner) { $0.device = DeviceState() }
    #expect(bare.after(.none) == "passcodeNotSet")
    var passcode = Call(.owner) { $0.device.fingers = 0 }
    #expect(passcode.after(.none) == "passcode")
    var touch = Call(.owner)
    #expect(touch.after(.none) == "touch/passcode")
    #expect(touch.after(.fallbackChosen) == "passcode")
    #expect(touch.after(.passcodeAccepted) == "succeed")
  }

  @Test("L2, L10: biometrics say why they cannot be had, and in which order")
  func biometricsCannot() {
    var call = Call(.biometrics) {
      $0.device = DeviceState()
      $0.device.isLockedOut = true
    }
    #expect(call.after(.none) == "biometryNotAvailable")
    call.question.device.hasSensor = true
    #expect(call.after(.none) == "biometryNotEnrolled")
    call.question.device.isPasscodeSet = true
    call.question.device.fingers = 1
    #expect(call.after(.none) == "biometryLockout")
    call.question.device.isLockedOut = false
    #expect(call.after(.none) == "biometryLockout", "before first unlock")
    call.question.device.isFirstUnlocked = true
    #expect(call.after(.none) == "touch/application")
  }

  @Test("three misses end a call, and a match before them is a success")
  func threeMisses() {
    var call = Call(.owner)
    #expect(call.after(.missed) == "touch/passcode")
    #expect(call.after(.missed) == "touch/passcode")
    var luckier = call
    #expect(call.after(.missed) == "authenticationFailed")
    #expect(luckier.after(.matched) == "succeed")
  }

  @Test("a lockout reached over several calls leads the owner to the passcode, and ends biometrics")
  func lockoutOverCalls() {
    var owner = Call(.owner)
    owner.question.device.isLockedOut = true
    #expect(owner.after(.missed) == "passcode")
    var biometrics = Call(.biometrics)
    biometrics.question.device.isLockedOut = true
    #expect(biometrics.after(.missed) == "biometryLockout")
  }

  @Test("a wrong passcode may be followed by two others")
  func wrongPasscodes() {
    var call = Call(.passcodeOnly)
    #expect(call.after(.none) == "passcode")
    #expect(call.after(.passcodeRefused) == "passcode")
    #expect(call.after(.passcodeRefused) == "passcode")
    #expect(call.after(.passcodeRefused) == "authenticationFailed")
  }

  @Test("a passcode from a file that is wrong fails as wrong, not as missing")
  func wrongPasscodeFromFile() {
    var call = Call(.passcodeOnly)
    #expect(call.after(.passcodeRefused) == "passcode")
    #expect(call.after(.noPasscode) == "authenticationFailed")
    var other = Call(.passcodeOnly)
    #expect(other.after(.noPasscode) == "notInteractive")
  }

  @Test("an item behind a finger and the passcode asks for the finger, then for the passcode")
  func bothProofs() throws {
    let control = try AccessControl(parsing: "biometry-current and passcode")
    var call = Call(.access(control, held: []))
    #expect(call.after(.none) == "touch/hidden")
    call.question.request = .access(control, held: .biometry)
    #expect(call.after(.matched) == "passcode")
    call.question.request = .access(control, held: [.biometry, .passcode])
    #expect(call.after(.passcodeAccepted) == "succeed")
  }

  @Test("A1: an application password is asked for last, three times at most, and not of nobody")
  func appPassword() throws {
    let control = try AccessControl(parsing: "biometry-any or app-password")
    var call = Call(.access(control, held: []))
    #expect(call.after(.none) == "touch/hidden")
    call.question.request = .access(control, held: .biometry)
    #expect(call.after(.matched) == "appPassword")
    var nobody = call
    #expect(nobody.after(.noPasscode) == "notInteractive")
    call.question.request = .access(control, held: [.biometry, .appPassword])
    #expect(call.after(.appPasswordGiven) == "succeed")
    // The enclave has refused it, and holds the touch.
    call.question.request = .access(control, held: .biometry)
    call.question.progress = CallProgress()
    call.question.progress.refusedAppPasswords = 1
    #expect(call.after(.none) == "appPassword")
    nobody = call
    #expect(nobody.after(.noPasscode) == "errSecAuthFailed")
    call.question.progress.refusedAppPasswords = 3
    #expect(call.after(.none) == "errSecAuthFailed")
  }

  @Test("A3: an item that refuses the relaxed rate asks for another touch, and any other opens")
  func relaxedMatch() throws {
    for isStrict in [false, true] {
      let control = try AccessControl(parsing: "biometry-any", with: isStrict ? .strictMatch : [])
      var call = Call(.access(control, held: .relaxedBiometry))
      #expect(call.after(.none) == (isStrict ? "touch/hidden" : "succeed"))
    }
  }

  @Test("E4: that something says a finger matched opens no item")
  func eventsAreNoEvidence() throws {
    let control = try AccessControl(parsing: "biometry-any")
    var call = Call(.access(control, held: []))
    #expect(call.after(.matched) == "touch/hidden")
    #expect(call.after(.passcodeAccepted) == "touch/hidden")
  }

  @Test("unlock with a passcode at hand uses it at once, also on an unlocked device")
  func unlockWithPasscode() {
    var call = Call(.unlock(prefersPasscode: true)) { $0.device.isBiometricUnlockArmed = true }
    #expect(call.after(.none) == "passcode")
    call.question.device.isLocked = true
    #expect(call.after(.none) == "passcode")
    #expect(call.after(.passcodeAccepted) == "succeed")
  }

  @Test("a touch unlocks only while biometric unlock is armed")
  func unlockWithTouch() {
    var call = Call(.unlock(prefersPasscode: false)) { $0.device.isLocked = true }
    #expect(call.after(.none) == "passcode")
    call.question.device.isBiometricUnlockArmed = true
    #expect(call.after(.none) == "touch/passcode")
    #expect(call.after(.matched) == "succeed")
    call.question.device.isBiometricUnlockArmed = false
    #expect(call.after(.matched) == "passcode")
  }
}
