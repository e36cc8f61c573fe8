internal import SensorKit

/// Wakes a reader: power off, power on, until its scanner reports that it has power.
struct Wake {
  /// Known to all drivers of the one product that asks for it; it protects nothing of the user's.
  private static let challengeKey: [UInt8] = [
    0x79, 0xAC, 0x91, 0x79, 0x5C, 0xA1, 0x47, 0x8E, 0x98, 0xE0, 0x0F, 0x3C, 0x59, 0x8F, 0x5F, 0x4B,
  ]
  /// How often a status is read before the reader is given up, and how long apart.
  private static let tries = 100
  private static let pause = Duration.milliseconds(10)
  /// How long the scanner takes at most to report power.
  private static let powerTime = Duration.milliseconds(300)

  let registers: Registers
  let clock: HostClock
  let interruption: Interruption
  let host: DriverServices
  /// Whether the reader has to be answered a challenge.
  let challenges: Bool

  func callAsFunction(hearing messages: inout MessageQueue) throws(SensorFailure) {
    try messages.discard()
    for _ in 1...3 {
      try cyclePower()
      if try hasPower(messages: &messages) {
        try logVersions()
        return
      }
    }
    throw SensorFailure(
      .inputOutput, "The reader does not report that its scanner has power; \(Registers.wayOut)")
  }

  private func cyclePower() throws(SensorFailure) {
    var status = try registers.hardwareStatus()
    if status.isSuperset(of: [.lowPower, .confused]) {
      try registers.set(status.low)
      status = try revivedStatus()
    }
    if !status.contains(.lowPower) { try registers.set(status.union(.lowPower)) }
    let awake = status.low
    for _ in 0..<Self.tries {
      try registers.set(awake)
      if try !registers.hardwareStatus().contains(.lowPower) { return }
      try interruption.wait(for: Self.pause, on: clock)
      if challenges { try answerChallenge() }
    }
    throw SensorFailure(
      .inputOutput, "The reader stays in its low-power state; \(Registers.wayOut)")
  }

  /// A keyboard that was left in the middle of something comes to itself again.
  private func revivedStatus() throws(SensorFailure) -> HardwareStatus {
    for _ in 0..<Self.tries {
      let status = try registers.hardwareStatus()
      if status.contains(.alive) { return status }
      try interruption.wait(for: Self.pause, on: clock)
    }
    throw SensorFailure(
      .inputOutput, "The reader does not come to itself again; \(Registers.wayOut)")
  }

  private func answerChallenge() throws(SensorFailure) {
    let challenge = try registers.read(.challenge, count: 16)
    guard let response = AES128.encrypt(challenge, key: Self.challengeKey) else { return }
    try registers.write(response, to: .response)
  }

  /// Whether the report came, which it may have done during the power cycle.
  private func hasPower(messages: inout MessageQueue) throws(SensorFailure) -> Bool {
    let end = clock.now() + Self.powerTime
    do throws(SensorFailure) {
      repeat {
        switch try messages.next(within: end - clock.now()) {
        case .message(.powered): return true
        case .message: continue
        case .interruption: return false
        }
      } while clock.now() < end
    } catch {
      guard error.code == .timeout else { throw error }
    }
    return false
  }

  /// Only for the log: a reader that does not tell its versions works without.
  private func logVersions() throws(SensorFailure) {
    do throws(SensorFailure) {
      let versions = try registers.read(.versions, count: 16)
      let words = versions.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      host.log(.debug, "The reader's versions are \(words.joined())")
    } catch {
      guard error.code == .stall || error.code == .protocolViolation else { throw error }
      host.log(.debug, "The reader does not tell its versions")
    }
  }
}
