import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Passcode")
struct PasscodeTests {
  @Test("a device without a passcode says so and refuses to verify, change, remove or lock")
  func notSet() throws {
    let device = SimulatedDevice()
    let status = try device.status
    #expect(!status.isPasscodeSet)
    #expect(!status.isLocked)
    #expect(status.isFirstUnlocked)
    let codes = [
      try device.refusal(of: "anything"),
      try device.failure(ReplacePasscode(current: secret("a"), replacement: secret("b"))),
      try device.failure(ErasePasscode(current: secret("a"))),
      try device.failure(LockDevice()),
    ]
    #expect(codes == Array(repeating: .passcodeNotSet, count: 4))
  }

  @Test("setting the first passcode leaves the device unlocked; a second one is refused")
  func set() throws {
    let device = try SimulatedDevice.withPasscode()
    let status = try device.status
    #expect(status.isPasscodeSet)
    #expect(!status.isLocked)
    #expect(status.isFirstUnlocked)
    let second = try device.failure(SetPasscode(passcode: secret("another")))
    #expect(second == .passcodeAlreadySet)
  }

  @Test("a passcode of less than four characters is refused, and one of 1,024 bytes is taken whole")
  func lengths() throws {
    let device = SimulatedDevice()
    for short in ["", "123", " 1 2 3 ", "äöü"] {
      let refusal = try device.failure(SetPasscode(passcode: secret(short)))
      #expect(refusal == .passcodeTooShort, "\(short)")
    }
    let longest = String(repeating: "x", count: 1024)
    let tooLong = try device.failure(SetPasscode(passcode: secret(longest + "x")))
    #expect(tooLong == .coreFailed)
    try device.setPasscode(longest)
    let right = try device.refusal(of: longest)
    #expect(right == nil)
    let shorter = try device.refusal(of: String(longest.dropLast()))
    #expect(shorter == .authenticationFailed)
  }

  @Test(
    "a passcode is bytes as given: nothing is trimmed, folded or normalized",
    arguments: ["tulip 42\n", " tulip 42", "TULIP 42", "tulip\u{a0}42", "tulip 42\0", ""])
  func exactBytes(other: String) throws {
    let device = try SimulatedDevice.withPasscode()
    let code = try device.refusal(of: other)
    #expect(code == .authenticationFailed)
  }

  @Test("a right passcode is evidence in its context and in no other")
  func evidence() throws {
    let device = try SimulatedDevice.withPasscode()
    try device.openContext(1)
    try device.givePasscode()
    let here = try device.evidence(of: 7000)
    let there = try device.evidence(of: 1)
    #expect(here == .passcode)
    #expect(there.isEmpty)
  }

  @Test("a passcode for a context that does not exist is not tried and does not count")
  func unknownContext() throws {
    let device = try SimulatedDevice.withPasscode()
    let writes = device.platform.writes
    let code = try device.failure(
      VerifyPasscode(context: 99, unlocksDevice: true, passcode: secret("wrong")))
    #expect(code == .invalidContext)
    #expect(device.platform.writes == writes)
  }

  @Test("changing the passcode needs the old one, after which only the new one is right")
  func change() throws {
    let device = try SimulatedDevice.withPasscode()
    let wrong = try device.failure(
      ReplacePasscode(current: secret("wrong"), replacement: secret("rose 7")))
    #expect(wrong == .authenticationFailed)
    let empty = try device.failure(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("1 2 3")))
    #expect(empty == .passcodeTooShort)
    try device.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    device.restart()
    let old = try device.refusal(of: SimulatedDevice.passcode)
    let new = try device.refusal(of: "rose 7")
    #expect(old == .authenticationFailed)
    #expect(new == nil)
  }

  @Test("changing the passcode leaves the lock state as it is, and what was sealed opens")
  func changeKeepsState() throws {
    let device = try SimulatedDevice.withPasscode()
    let item = try device.sealed("secret")
    device.restart()
    try device.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    let before = try device.status
    #expect(!before.isFirstUnlocked)
    try device.givePasscode("rose 7", unlocking: true)
    try device.send(LockDevice())
    try device.send(ReplacePasscode(current: secret("rose 7"), replacement: secret("iris 1")))
    let locked = try device.status
    #expect(locked.isLocked)
    try device.givePasscode("iris 1", unlocking: true)
    #expect(try device.open(item) == .secret("secret"))
  }

  @Test("removing the passcode unlocks for good, removes all fingers and keeps ordinary items")
  func remove() throws {
    let device = try EnrolledDevice.unlocked()
    let ordinary = try device.sealed("ordinary", .afterFirstUnlock)
    let wrong = try device.failure(ErasePasscode(current: secret("wrong")))
    #expect(wrong == .authenticationFailed)
    try device.send(LockDevice())
    try device.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    device.restart()
    let status = try device.status
    #expect(!status.isPasscodeSet)
    #expect(!status.isLocked)
    #expect(status.syntheticFingers == 0)
    #expect(status.domainState.isEmpty)
    #expect(device.platform.files["finger-1"] == nil)
    #expect(try device.open(ordinary) == .secret("ordinary"))
  }

  @Test("A4: removing the passcode destroys the when-passcode-set class and all access control")
  func removeDestroys() throws {
    let device = try SimulatedDevice.withPasscode()
    let bound = try device.sealed("bound", .whenPasscodeSetThisDeviceOnly)
    let guarded = try device.sealed(
      "guarded", .whenUnlockedThisDeviceOnly, access: "presence")
    try device.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    try device.openContext(1)
    #expect(try device.open(bound) == .failed(.errSecDecode))
    #expect(try device.open(guarded, context: 1) == .failed(.errSecDecode))
    try device.setPasscode()
    try device.givePasscode()
    #expect(try device.open(bound) == .failed(.errSecDecode))
    #expect(try device.open(guarded, context: 7000) == .failed(.errSecDecode))
  }

  @Test("the cost of a passcode is that of the floor where one try takes 80 ms there")
  func calibration() throws {
    var time: UInt64 = 0
    let chosen = try PasscodeCost.calibrated.parameters {
      time += 80_000_000
      return time
    }
    #expect(chosen == PasscodeCost.floor)
  }
}

@Suite("Forms of a passcode", .timeLimit(.minutes(60)))
struct PasscodeFormTests {
  /// One text in two forms: composed as clients set it, and as some keyboards write it.
  private static let composed = "caf\u{E9}5"
  private static let typed = "cafe\u{301}5"

  private func verify(
    _ device: SimulatedDevice, _ passcode: String, typed: String = ""
  ) throws -> FailureCode? {
    try device.openContext(7000)
    return try device.failure(
      VerifyPasscode(
        context: contextName(7000), unlocksDevice: false, passcode: secret(passcode),
        asTyped: secret(typed)))
  }

  /// A device whose passcode an earlier version set, as it was typed.
  private func earlier() throws -> SimulatedDevice {
    let device = SimulatedDevice()
    try device.setPasscode(Self.typed)
    let state = try StoredState.load(from: device.platform)
    var keybag = state.keybag
    let record = try #require(keybag.passcode)
    keybag.passcode = PasscodeRecord(
      cost: record.cost, salt: record.salt, eraseAfter: 0, isNormalized: false, guarded: nil)
    try state.replaceKeybag(keybag)
    device.restart()
    return device
  }

  private func wrongPasscodes(_ device: SimulatedDevice) throws -> UInt32 {
    try StoredState.load(from: device.platform).attempts.wrongPasscodes
  }

  @Test("a passcode is tried in the form in which clients set it, whatever was typed")
  func normalized() throws {
    let device = SimulatedDevice()
    try device.setPasscode(Self.composed)
    #expect(try verify(device, Self.composed) == nil)
    #expect(try verify(device, Self.composed, typed: Self.typed) == nil)
    #expect(try verify(device, Self.typed, typed: Self.composed) == .authenticationFailed)
  }

  @Test("a passcode of an earlier version is tried as it was typed, and is none as it was not")
  func asTyped() throws {
    let device = try earlier()
    #expect(try verify(device, Self.composed, typed: Self.typed) == nil)
    #expect(try verify(device, Self.typed) == nil)
    #expect(try verify(device, Self.composed) == .authenticationFailed)
  }

  @Test("of two forms one is tried, so that a wrong passcode counts once")
  func countsOnce() throws {
    for device in [try earlier(), try SimulatedDevice.withPasscode()] {
      #expect(try verify(device, "wrong 1", typed: "wrong 2") == .authenticationFailed)
      #expect(try wrongPasscodes(device) == 1)
    }
  }

  @Test("changing and removing take either form, and a passcode is set in the newer one")
  func changing() throws {
    let device = try earlier()
    try device.send(
      ReplacePasscode(
        current: secret(Self.composed), asTyped: secret(Self.typed),
        replacement: secret("\u{E9}t\u{E9} 7")))
    #expect(try verify(device, "\u{E9}t\u{E9} 7", typed: "e\u{301}te\u{301} 7") == nil)
    #expect(try StoredState.load(from: device.platform).keybag.passcode?.isNormalized == true)
    let other = try earlier()
    try other.send(
      ErasePasscode(current: secret(Self.composed), asTyped: secret(Self.typed)))
    #expect(try !other.status.isPasscodeSet)
  }

  @Test("the passcode of commit 5a3dfaf is one as it was typed")
  func fixture() throws {
    let device = SimulatedDevice(SimulatedPlatform(files: try EarlierState.files()))
    #expect(
      try verify(device, "another form", typed: EarlierState.passcode) == nil)
  }

  @Test("a form that is left out because it is too long is no passcode, and costs no try")
  func leftOut() throws {
    let device = try SimulatedDevice.withPasscode()
    #expect(try verify(device, "", typed: "long") == .authenticationFailed)
    #expect(try wrongPasscodes(device) == 0)
  }
}
