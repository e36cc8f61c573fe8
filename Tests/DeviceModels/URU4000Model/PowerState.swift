/// The register HWSTAT: how the reader falls asleep and wakes up.
struct PowerState {
  private enum Bit {
    static let alive: UInt8 = 0x01
    static let interrupt: UInt8 = 0x02
    static let confused: UInt8 = 0x04
    static let low: UInt8 = 0x80
  }

  private enum Phase: Equatable {
    case awake
    /// Comes to itself after so many reads.
    case confused(reads: Int)
    case asleep
    /// Wants an answer to its challenge before it wakes.
    case locked
    /// Was answered, and wakes when it is told to once more.
    case unlocked
  }

  private let challenges: Bool
  private let awakeStatus: UInt8
  private var phase: Phase

  init(challenges: Bool, isConfused: Bool) {
    self.challenges = challenges
    awakeStatus = challenges ? Bit.alive | Bit.interrupt : Bit.alive
    phase = isConfused ? .confused(reads: .max) : .awake
  }

  /// Whether the scanner works.
  var isAwake: Bool { phase == .awake }

  mutating func read() -> UInt8 {
    switch phase {
    case .awake: return awakeStatus
    case .confused(let reads):
      if reads == .max { return Bit.low | Bit.confused }
      phase = reads > 1 ? .confused(reads: reads - 1) : .asleep
      return reads > 1 ? Bit.low : Bit.low | Bit.alive
    case .asleep, .locked, .unlocked: return Bit.low | awakeStatus
    }
  }

  /// - Returns: whether the scanner gets power by it.
  mutating func write(_ value: UInt8) -> Bool {
    let isLow = value & Bit.low != 0
    switch phase {
    case .awake:
      if isLow { phase = .asleep }
      return false
    case .confused(reads: .max) where !isLow && value & Bit.confused != 0:
      // As it was left: clearing the power bit alone starts its recovery.
      phase = .confused(reads: 3)
      return false
    case .confused, .locked: return false
    case .asleep where challenges:
      if !isLow { phase = .locked }
      return false
    case .asleep, .unlocked:
      if !isLow { phase = .awake }
      return !isLow
    }
  }

  /// The right answer came.
  mutating func unlock() {
    if phase == .locked { phase = .unlocked }
  }
}
