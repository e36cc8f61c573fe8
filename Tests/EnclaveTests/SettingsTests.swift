import Protocol
import Testing

@testable import EnclaveEngine

@Suite("What the owner sets")
struct SettingsTests {
  private let command = ContextName(
    40, of: Requester(application: commandApplication, connection: 3))

  private func minutes(_ number: UInt32) -> ChangeSettings {
    ChangeSettings(lockRule: .minutes(number))
  }

  /// The owner's command has given the passcode.
  private func proving(_ device: SimulatedDevice) throws {
    try device.send(CloseContext(context: command))
    try device.send(OpenContext(context: command))
    try device.send(
      VerifyPasscode(
        context: command, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
  }

  @Test("what loosens the lock wants the passcode, and what tightens it does not")
  func loosening() throws {
    let device = try SimulatedDevice.withPasscode()
    #expect(try device.status.lockRule == .minutes(15))
    try device.send(minutes(5), in: command)
    #expect(try device.failure(minutes(6), in: command) == .authenticationFailed)
    #expect(
      try device.failure(ChangeSettings(lockRule: .screen), in: command) == .authenticationFailed)
    #expect(try device.status.lockRule == .minutes(5))
    try proving(device)
    try device.send(ChangeSettings(lockRule: .screen), in: command)
    try device.send(CloseContext(context: command))
    #expect(try device.failure(minutes(16), in: command) == .authenticationFailed)
    try device.send(minutes(15), in: command)
    #expect(try device.status.lockRule == .minutes(15))
  }

  @Test("any change of the number of wrong passcodes wants the passcode")
  func erasing() throws {
    let device = try SimulatedDevice.withPasscode()
    let change = ChangeSettings(eraseAfter: 20)
    #expect(try device.failure(change, in: command) == .authenticationFailed)
    try proving(device)
    try device.send(change, in: command)
    #expect(try device.status.eraseAfter == 20)
    #expect(try device.failure(ChangeSettings(eraseAfter: 3), in: command) == .errSecParam)
    try device.send(ChangeSettings(eraseAfter: 0), in: command)
    #expect(try device.status.eraseAfter == 0)
    #expect(try SimulatedDevice().failure(change, in: command) == .passcodeNotSet)
  }

  @Test("settings outlast the enclave, and a change of the passcode")
  func kept() throws {
    let device = try SimulatedDevice.withPasscode()
    try proving(device)
    try device.send(ChangeSettings(lockRule: .minutes(480), eraseAfter: 30), in: command)
    try device.send(
      ReplacePasscode(
        current: secret(SimulatedDevice.passcode), replacement: secret("daffodil 7")))
    device.restart()
    let status = try device.status
    #expect(status.lockRule == .minutes(480) && status.eraseAfter == 30)
  }

  @Test("FINDINGS A13: no other program changes them, and no time is taken that there is not")
  func refused() throws {
    let device = try SimulatedDevice.withPasscode()
    let other = ContextName(41, of: Requester(application: "/usr/bin/other", connection: 4))
    #expect(try device.failure(minutes(5), in: other) == .errSecMissingEntitlement)
    for number: UInt32 in [0, 481] {
      #expect(try device.failure(minutes(number), in: command) == .errSecParam)
    }
    #expect(try device.status.lockRule == .minutes(15))
  }

  @Test("an old keybag that is put back for a looser setting is noticed")
  func rollback() throws {
    let device = try SimulatedDevice.withPasscode()
    let old = device.platform.files["keybag"]
    try device.send(minutes(1), in: command)
    device.platform.files["keybag"] = old
    device.restart()
    #expect(try device.status.isRollbackDetected)
  }

  @Test("the core hears of the lock before the reply to what changed it, and only when it changes")
  func notices() throws {
    let device = try SimulatedDevice.withPasscode()
    func told() -> [Bool] { device.platform.lockNotices.map(\.isLocked) }
    #expect(told() == [false])
    try device.send(LockDevice())
    _ = try device.status
    #expect(told() == [false, true])
    try device.unlock()
    try device.send(minutes(10), in: command)
    #expect(device.platform.lockNotices.last == LockNotice(isLocked: false, rule: .minutes(10)))
    #expect(told() == [false, true, false, false])
    device.restart()
    _ = try device.status
    #expect(told().last == true)
  }

  @Test("FINDINGS B1: a match that unlocks for one request is no unlock by touch for others")
  func notReusable() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(LockDevice())
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(UnlockWithMatch(context: 1, isReusable: false))
    try device.openContext(2)
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
    #expect(try device.evidence(of: 1).contains(.biometry))
  }
}
