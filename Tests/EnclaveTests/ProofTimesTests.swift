import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

private let second: UInt64 = 1_000_000_000
private let hour = 3600 * second
/// When the passcode is given in these tables, in nanoseconds since boot.
private let start = 1000 * second

@Suite("How long a finger is believed")
struct ProofTimesTests {
  /// Hours and nanoseconds after the passcode, when a finger last unlocked in them, and what holds.
  struct Row: Sendable {
    let hours: UInt64
    let nanoseconds: Int64
    let finger: UInt64?
    let expiry: ProofTimes.Expiry?

    init(
      _ hours: UInt64, _ nanoseconds: Int64, finger: UInt64?, _ expiry: ProofTimes.Expiry?
    ) {
      (self.hours, self.nanoseconds) = (hours, nanoseconds)
      (self.finger, self.expiry) = (finger, expiry)
    }

    var now: UInt64 { UInt64(Int64(start + hours * hour) + nanoseconds) }
    var proofs: ProofTimes {
      ProofTimes(passcode: start, fingerUnlock: finger.map { start + $0 * hour })
    }
  }

  /// APPLE.md 1.4: 48 hours without an unlock; 156 hours without the passcode and 4 without a
  /// finger.
  static let table: [Row] = [
    Row(0, 0, finger: nil, nil),
    Row(48, -1, finger: nil, nil), Row(48, 0, finger: nil, nil),
    Row(48, 1, finger: nil, .noUnlock),
    // A finger restarts the 48 hours.
    Row(48, 1, finger: 1, nil), Row(49, 0, finger: 1, nil), Row(49, 1, finger: 1, .noUnlock),
    Row(148, 0, finger: 100, nil), Row(148, 1, finger: 100, .noUnlock),
    // Up to 156 hours after the passcode it need not be recent.
    Row(156, -1, finger: 120, nil), Row(156, 0, finger: 120, nil),
    Row(156, 1, finger: 120, .oldPasscode),
    // From there it has to be of the last 4 hours.
    Row(156, 0, finger: 152, nil), Row(156, 1, finger: 152, .oldPasscode),
    Row(156, 1, finger: 153, nil), Row(157, 0, finger: 153, nil),
    Row(157, 1, finger: 153, .oldPasscode),
    Row(1000, -1, finger: 996, nil), Row(1000, 0, finger: 996, nil),
    Row(1000, 1, finger: 996, .oldPasscode), Row(1000, 0, finger: 900, .noUnlock),
    // A clock that is behind a proof tells nothing of its age.
    Row(0, -1, finger: nil, .clockWentBack), Row(1, -1, finger: 1, .clockWentBack),
  ]

  @Test("each row of the table, to the nanosecond", arguments: table)
  func rows(row: Row) { #expect(row.proofs.expiry(at: row.now) == row.expiry) }

  @Test("at no time after an expiry is a finger believed again without a proof")
  func monotonic() {
    for finger in [nil, 0, 40, 47, 48] as [UInt64?] {
      let proofs = Row(0, 0, finger: finger, nil).proofs
      var isExpired = false
      for quarter in 4 * (finger ?? 0)..<4 * 200 {
        let now = start + UInt64(quarter) * hour / 4
        let expires = proofs.expiry(at: now) != nil
        #expect(expires || !isExpired, "\(quarter)")
        isExpired = expires
      }
      #expect(isExpired)
    }
  }

  @Test("before the first passcode there is nothing that could be too old")
  func before() { #expect(ProofTimes().expiry(at: .max) == nil) }

  // MARK: The device

  /// Whether a finger of the owner's is compared, and unlocks a device that is locked.
  private func expectBelieved(_ device: SimulatedDevice, _ isBelieved: Bool) throws {
    let status = try device.status
    #expect(status.isLockedOut == !isBelieved)
    #expect(status.isBiometricUnlockArmed == isBelieved)
    try device.openContext(1)
    try device.send(OpenChannel(channel: 9, isSynthetic: true))
    let begin = BeginMatch(session: 900, channel: 9, context: 1)
    #expect(try device.failure(begin) == (isBelieved ? nil : .biometryLockout))
    try device.send(CloseChannel(channel: 9))
  }

  private func unlockByTouch(_ device: SimulatedDevice) throws {
    try device.send(LockDevice())
    try device.openContext(2)
    try device.match(2, SimulatedFinger.owner.later)
    try device.send(UnlockWithMatch(context: 2))
  }

  @Test(
    "E5: 48 hours after the last unlock no finger counts, and the passcode mends it",
    arguments: [true, false])
  func twoDays(isLockedMeanwhile: Bool) throws {
    let device = try EnrolledDevice.unlocked()
    if isLockedMeanwhile { try device.send(LockDevice()) }
    device.platform.bootTime += 48 * hour
    try expectBelieved(device, true)
    device.platform.bootTime += 1
    try expectBelieved(device, false)
    if !isLockedMeanwhile { try device.send(LockDevice()) }
    device.platform.bootTime -= 1
    #expect(try device.status.isBiometricUnlockArmed == false, "dropped keys do not come back")
    device.platform.bootTime += 1
    try device.unlock()
    try expectBelieved(device, true)
  }

  @Test("E5: touches that unlock prolong it up to 156 hours after the passcode, then by 4 each")
  func sixDays() throws {
    let device = try EnrolledDevice.unlocked()
    for _ in 0..<38 {
      device.platform.bootTime += 4 * hour
      try unlockByTouch(device)
    }
    // 152 hours after the passcode and 0 after the finger.
    device.platform.bootTime += 4 * hour
    try expectBelieved(device, true)
    try unlockByTouch(device)
    device.platform.bootTime += 4 * hour
    try expectBelieved(device, true)
    device.platform.bootTime += 1
    try expectBelieved(device, false)
    try device.unlock()
    device.platform.bootTime += 48 * hour
    try expectBelieved(device, true)
  }

  @Test("a touch that unlocks nothing prolongs nothing; a passcode that unlocks nothing does")
  func notUnlocks() throws {
    let device = try EnrolledDevice.unlocked()
    device.platform.bootTime += 47 * hour
    try device.openContext(2)
    try device.match(2, SimulatedFinger.owner.later)
    device.platform.bootTime += hour + 1
    try expectBelieved(device, false)
    try device.givePasscode()
    device.platform.bootTime += 48 * hour
    try expectBelieved(device, true)
  }

  @Test("a session that waits for a touch when the time is over gets none compared")
  func whileWaiting() throws {
    let device = try EnrolledDevice.unlocked()
    device.platform.bootTime += 48 * hour
    try device.openContext(1)
    let session = try device.beginMatch(1)
    device.platform.bootTime += 1
    guard case .failed(let failure) = try device.touch(session, SimulatedFinger.owner.later) else {
      Issue.record("the touch was compared")
      return
    }
    #expect(failure.code == .biometryLockout)
    #expect(try device.status.misses == 0)
  }

  @Test("the wall clock has no part in it, set back or set forward", arguments: [-1, 1] as [Int64])
  func wallClock(direction: Int64) throws {
    let device = try EnrolledDevice.unlocked()
    device.platform.wallClock += direction * 1000 * 3600
    device.platform.bootTime += 48 * hour
    try expectBelieved(device, true)
    device.platform.wallClock -= direction * 2000 * 3600
    device.platform.bootTime += 1
    try expectBelieved(device, false)
  }

  @Test("after the clock went back a passcode is believed from where the clock is")
  func afterGoingBack() throws {
    let device = try EnrolledDevice.unlocked()
    device.platform.bootTime += 10 * hour
    try unlockByTouch(device)
    device.platform.bootTime -= 5 * hour
    try expectBelieved(device, false)
    try device.unlock()
    try expectBelieved(device, true)
    device.platform.bootTime += 48 * hour
    try expectBelieved(device, true)
    device.platform.bootTime += 1
    try expectBelieved(device, false)
  }
}

@Suite("Clocks that lie")
struct ClockTests {
  @Test("E4: where the clock goes back, no proof counts that lies ahead of it")
  func backwards() throws {
    let device = try EnrolledDevice.unlocked()
    device.platform.advance(seconds: 60)
    try device.send(LockDevice())
    try device.openContext(1)
    try device.openContext(2)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(UnlockWithMatch(context: 1))
    try device.givePasscode()
    #expect(try device.evidence(of: 1) == .biometry)
    #expect(try device.evidence(of: 2, reuseSeconds: 300) == .biometry)
    #expect(try device.evidence(of: 7000) == .passcode)
    device.platform.bootTime -= 1
    for context in [1, 2, 7000] as [UInt64] {
      #expect(try device.evidence(of: context, reuseSeconds: 300).isEmpty, "\(context)")
    }
    #expect(try device.status.isBiometricUnlockArmed == false)
  }

  /// The cost of a passcode if the tries at a growing cost take so many milliseconds.
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
