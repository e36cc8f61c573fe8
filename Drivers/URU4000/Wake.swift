internal import SensorKit

/// Wakes a reader: turns power off and on until the scanner reports that it has power.
struct Wake {
  /// All drivers of the one product that asks for it have it. It protects nothing of the user.
  private static let challengeKey: [UInt8] = [
    0x79, 0xAC, 0x91, 0x79, 0x5C, 0xA1, 0x47, 0x8E, 0x98, 0xE0, 0x0F, 0x3C, 0x59, 0x8F, 0x5F, 0x4B,
  ]
  /// How often a status is read before giving up, and the time between.
  private static let tries = 100
  private static let pause = Duration.milliseconds(10)
  /// The longest time in which the scanner reports power.
  private static let powerTime = Duration.milliseconds(300)

  let registers: Registers
  let clock: HostClock
  let interruption: Interruption
  let host: DriverServices
  /// Whether the reader sends a challenge.
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

  /// Waits until a keyboard that was left in the middle of something has recovered.
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

  /// Waits for the report, which may have come during the power cycle.
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

  /// Only for the log. Some readers do not tell their versions.
  private func logVersions() throws(SensorFailure) {
    do throws(SensorFailure) {
      let versions = try registers.read(.versions, count: 16)
      host.log(.debug, "The reader's versions are \(versions.map(\.hexadecimal).joined())")
    } catch {
      guard error.code == .stall || error.code == .protocolViolation else { throw error }
      host.log(.debug, "The reader does not tell its versions")
    }
  }
}

/// Encrypts one block with AES-128 (FIPS 197), for the handshake of one product, whose key is in
/// every driver.
///
/// Nothing here is secret, so it need not resist timing attacks. libcrypto would add four megabytes
/// to a process that faces a USB device.
package enum AES128 {
  /// Both arrays have 16 bytes; otherwise it returns nil.
  package static func encrypt(_ block: [UInt8], key: [UInt8]) -> [UInt8]? {
    guard block.count == 16, key.count == 16 else { return nil }
    var roundKey = key
    var state = zip(block, key).map { $0 ^ $1 }
    var roundConstant: UInt8 = 1
    for round in 1...10 {
      roundKey = nextKey(after: roundKey, roundConstant)
      roundConstant = doubled(roundConstant)
      state = shiftedRows(state.map(substitute))
      if round < 10 { state = mixedColumns(state) }
      state = zip(state, roundKey).map { $0 ^ $1 }
    }
    return state
  }

  /// Section 5.2: the key schedule, a round at a time.
  private static func nextKey(after key: [UInt8], _ roundConstant: UInt8) -> [UInt8] {
    var next = key
    for column in 0..<4 {
      for row in 0..<4 {
        let before =
          column > 0
          ? next[4 * column + row - 4]
          : substitute(key[12 + (row + 1) % 4]) ^ (row == 0 ? roundConstant : 0)
        next[4 * column + row] ^= before
      }
    }
    return next
  }

  /// Section 5.1.2. The state is column by column.
  private static func shiftedRows(_ state: [UInt8]) -> [UInt8] {
    (0..<16).map { state[($0 + 4 * ($0 % 4)) % 16] }
  }

  /// Section 5.1.3.
  private static func mixedColumns(_ state: [UInt8]) -> [UInt8] {
    (0..<16).map { index in
      let column = index - index % 4
      let ahead = (0..<4).map { state[column + (index + $0) % 4] }
      return doubled(ahead[0] ^ ahead[1]) ^ ahead[1] ^ ahead[2] ^ ahead[3]
    }
  }

  /// Section 5.1.1: the inverse in the field, then an affine map.
  private static func substitute(_ byte: UInt8) -> UInt8 {
    // The field without 0 is a group of 255 elements, so the inverse is the power 254 = 2 + 4 + … +
    // 128. 0 stays 0.
    var inverse: UInt8 = 1
    var square = byte
    for _ in 1...7 {
      square = product(square, square)
      inverse = product(inverse, square)
    }
    return (0..<5).reduce(0x63) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
  }

  /// Section 4.2: multiplication modulo x^8 + x^4 + x^3 + x + 1.
  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var sum: UInt8 = 0
    var multiple = left
    for bit in 0..<8 {
      if right >> bit & 1 == 1 { sum ^= multiple }
      multiple = doubled(multiple)
    }
    return sum
  }

  private static func doubled(_ byte: UInt8) -> UInt8 {
    byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B)
  }
}
