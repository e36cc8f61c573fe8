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
