import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Clocks that lie")
struct ClockTests {
  @Test("E4: where the clock goes back, no proof counts that lies ahead of it")
  func backwards() throws {
    let device = try EnrolledDevice.unlocked()
    device.platform.advance(seconds: 60)
    try device.send(LockDevice())
    try device.openContext(1)
    try device.openContext(2, reuseSeconds: 300)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(UnlockWithMatch(context: 1))
    try device.givePasscode()
    #expect(try device.evidence(of: 1) == .biometry)
    #expect(try device.evidence(of: 2) == .biometry)
    #expect(try device.evidence(of: 7000) == .passcode)
    device.platform.bootTime -= 1
    for context in [1, 2, 7000] as [UInt64] {
      #expect(try device.evidence(of: context).isEmpty, "\(context)")
    }
    #expect(try device.status.isBiometricUnlockArmed == false)
  }

  /// What a passcode costs where the tries at a growing cost take so many milliseconds.
  private func cost(whereTriesTake milliseconds: [UInt64]) throws -> UInt64 {
    var readings = 0
    return try PasscodeCost.calibrated.parameters {
      readings += 1
      let isEnd = readings % 2 == 0
      return isEnd ? milliseconds[readings / 2 - 1] * 1_000_000 : 0
    }.cost
  }

  @Test("K5: a passcode costs the power of two that comes nearest to 80 ms a try")
  func nearest() throws {
    #expect(try cost(whereTriesTake: [56]) == 1 << 15)
    #expect(try cost(whereTriesTake: [55, 56]) == 1 << 16)
  }

  @Test("K5: a passcode costs at most 128 MiB, also where the clock goes back")
  func ceiling() throws {
    var time: UInt64 = 1_000_000
    let chosen = try PasscodeCost.calibrated.parameters {
      time -= 1000
      return time
    }
    #expect(chosen.cost == 1 << 17)
  }
}
