import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Locking")
struct LockingTests {
  @Test("K6: before first unlock nothing opens, and the passcode without unlocking changes nothing")
  func beforeFirstUnlock() throws {
    let device = try EnrolledDevice.unlocked()
    let items = try Accessibility.allCases.map { try device.sealed("secret", $0) }
    device.restart()
    let status = try device.status
    #expect(status.isLocked)
    #expect(!status.isFirstUnlocked)
    #expect(!status.isBiometricUnlockArmed)
    try device.givePasscode()
    for item in items {
      #expect(try device.open(item) == .failed(.errSecInteractionNotAllowed))
    }
    #expect(try device.status == status)
    try device.unlock()
    for item in items { #expect(try device.open(item) == .secret("secret")) }
  }

  @Test("K6: a locked device opens after-first-unlock classes and no others")
  func locked() throws {
    let device = try SimulatedDevice.withPasscode()
    let items = try Accessibility.allCases.map { try device.sealed("secret", $0) }
    try device.send(LockDevice())
    for item in items {
      let name = item.protection.accessibility.name
      #expect(
        try device.open(item)
          == (name.hasPrefix("after") ? .secret("secret") : .failed(.errSecInteractionNotAllowed)),
        "\(name)")
      let code = try device.sealingFailure(item.protection.accessibility)
      #expect(code == (name.hasPrefix("after") ? nil : .errSecInteractionNotAllowed), "\(name)")
    }
    try device.unlock()
    for item in items { #expect(try device.open(item) == .secret("secret")) }
  }

  @Test("a match unlocks a locked device with the passcode's keys, in its context only")
  func unlockByMatch() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("secret")
    try device.send(LockDevice())
    #expect(try device.status.isBiometricUnlockArmed)
    try device.openContext(1)
    try device.openContext(2)
    #expect(try device.failure(UnlockWithMatch(context: 1)) == .authenticationFailed)
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.open(item) == .failed(.errSecInteractionNotAllowed))
    #expect(try device.failure(UnlockWithMatch(context: 2)) == .authenticationFailed)
    try device.send(UnlockWithMatch(context: 1))
    #expect(try device.open(item) == .secret("secret"))
    #expect(try device.status.isLocked == false)
  }

  @Test("without a finger nothing is parked: only the passcode unlocks")
  func notArmed() throws {
    let device = try SimulatedDevice.withPasscode()
    #expect(try device.status.isBiometricUnlockArmed == false)
    try device.send(LockDevice())
    #expect(try device.status.isBiometricUnlockArmed == false)
  }

  @Test(
    "five misses disarm biometric unlock, and the passcode without unlocking does not bring it back"
  )
  func lockoutDisarms() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(LockDevice())
    try device.openContext(1)
    for _ in 0..<5 { try device.match(1, SimulatedFinger.stranger.later) }
    #expect(try device.status.isBiometricUnlockArmed == false)
    try device.givePasscode()
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.failure(UnlockWithMatch(context: 1)) == .biometryLockout)
    #expect(try device.status.isLocked)
  }

  @Test("a restart disarms: before first unlock no finger is compared")
  func restartDisarms() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(LockDevice())
    device.restart()
    #expect(try device.status.isBiometricUnlockArmed == false)
    try device.openContext(1)
    try device.send(OpenChannel(channel: 1, isSynthetic: true))
    let code = try device.failure(BeginMatch(session: 50, channel: 1, context: 1))
    #expect(code == .biometryLockout)
  }

  @Test("removing the last finger while locked disarms")
  func lastFinger() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(LockDevice())
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "right-index"), in: 7000)
    #expect(try device.status.isBiometricUnlockArmed == false)
  }

  @Test("locking ends all evidence")
  func evidenceEnds() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.givePasscode()
    try device.send(LockDevice())
    #expect(try device.evidence(of: 1).isEmpty)
    #expect(try device.evidence(of: 7000).isEmpty)
  }

  @Test("a policy is answered from an unlock by touch as long as it says, and not after a lock")
  func reuse() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(LockDevice())
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(UnlockWithMatch(context: 1))
    try device.openContext(2)
    #expect(try device.evidence(of: 2, reuseSeconds: 10) == .biometry)
    #expect(try device.evidence(of: 2).isEmpty)
    device.platform.advance(seconds: 10)
    #expect(try device.evidence(of: 2, reuseSeconds: 10) == .biometry)
    device.platform.advance(seconds: 1)
    #expect(try device.evidence(of: 2, reuseSeconds: 10).isEmpty)
    #expect(try device.evidence(of: 2, reuseSeconds: 300) == .biometry)
    try device.send(TightenRules(rules: EnclaveRules(reuseSeconds: 10)))
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
    try device.send(LockDevice())
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
  }

  @Test("a match that unlocked nothing, and an unlock by passcode, are not used again")
  func noReuse() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.openContext(2)
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
    try device.send(LockDevice())
    try device.unlock()
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
  }
}
