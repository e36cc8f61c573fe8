import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Learning from good matches")
struct AdaptingTests {
  private static let finger = SimulatedFinger.ownerOnSmallSensor

  /// A device with a finger of a small sensor, and its files before anything was learned.
  private func enrolled(
    isSynthetic: Bool = false
  ) throws -> (device: SimulatedDevice, files: [String: [UInt8]]) {
    let device = try SimulatedDevice.withPasscode()
    try device.enroll(Self.finger, name: "thumb", isSynthetic: isSynthetic)
    try device.openContext(1)
    return (device, device.platform.files)
  }

  @Test("a good match is learned from; template, keybag and domain state stay as they were")
  func learns() throws {
    let (device, before) = try enrolled()
    let state = try device.status.domainState
    #expect(before["adapted-1"] == nil)
    #expect(try device.match(1, Self.finger.later, isSynthetic: false)?.isMatch == true)
    #expect(device.platform.files["adapted-1"] != nil)
    #expect(device.platform.files["finger-1"] == before["finger-1"])
    #expect(device.platform.files["keybag"] == before["keybag"])
    #expect(try device.status.domainState == state)
  }

  @Test("what was learned outlives a restart; where it is damaged the finger matches all the same")
  func restart() throws {
    let (device, _) = try enrolled()
    try device.match(1, Self.finger.later, isSynthetic: false)
    var files = device.platform.files
    let whole = SimulatedDevice(SimulatedPlatform(files: files, seed: 1))
    try whole.unlock()
    try whole.openContext(1)
    let own = Self.finger.laterTouches[1]
    #expect(try whole.match(1, own, isSynthetic: false)?.isMatch == true)
    files["adapted-1"]?[100] ^= 1
    let damaged = SimulatedDevice(SimulatedPlatform(files: files, seed: 2))
    try damaged.unlock()
    try damaged.openContext(1)
    #expect(try damaged.match(1, own, isSynthetic: false)?.isMatch == true)
    #expect(damaged.platform.logged.contains { $0.contains("adapted-1") })
    #expect(!whole.platform.logged.contains { $0.contains("adapted-1") })
  }

  @Test("removing the finger removes what was learned of it, and so does removing the passcode")
  func removed() throws {
    let (device, _) = try enrolled()
    try device.match(1, Self.finger.later, isSynthetic: false)
    let files = device.platform.files
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "thumb"), in: 7000)
    #expect(device.platform.files["adapted-1"] == nil)
    let other = SimulatedDevice(SimulatedPlatform(files: files, seed: 3))
    try other.unlock()
    try other.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    #expect(other.platform.files["adapted-1"] == nil)
  }

  @Test("a synthetic driver's touches and strangers' teach nothing, and a full disk costs no match")
  func teachesNothing() throws {
    let (synthetic, _) = try enrolled(isSynthetic: true)
    #expect(try synthetic.match(1, Self.finger.later)?.isMatch == true)
    #expect(synthetic.platform.files["adapted-1"] == nil)
    let (real, _) = try enrolled()
    #expect(try real.match(1, SimulatedFinger.stranger.later, isSynthetic: false)?.isMiss == true)
    #expect(real.platform.files["adapted-1"] == nil)
    // The count of misses is written before and after the comparison.
    real.platform.writesLeft = 2
    #expect(try real.match(1, Self.finger.later, isSynthetic: false)?.isMatch == true)
    #expect(real.platform.files["adapted-1"] == nil)
  }
}
