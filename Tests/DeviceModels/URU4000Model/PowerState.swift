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

/// A challenge and the answer to it, as a Microsoft Fingerprint Reader v2 exchanged them.
enum Handshake {
  static let challenge: [UInt8] = [
    0x4D, 0xAE, 0x5A, 0x0B, 0x12, 0x47, 0xA8, 0x6C, 0x9F, 0xBF, 0x29, 0xFD, 0xCC, 0x17, 0x8A, 0x74,
  ]
  static let response: [UInt8] = [
    0x32, 0x93, 0x51, 0x37, 0x1E, 0x4A, 0xDF, 0xB1, 0xF3, 0x5F, 0x09, 0xF3, 0x29, 0xC6, 0xAB, 0x46,
  ]
}

/// Who uses the reader: a finger that comes when the reader waits for one, and is lifted when the
/// reader waits for that.
struct Person {
  /// How long the finger takes to come, and to go.
  private let delay: Duration
  private let lift: Duration
  private let touches: Int

  private var arrival: Duration?
  private var departure: Duration?
  /// The touches so far.
  private(set) var touch = 0

  init(touches: Int, delay: Duration, lift: Duration) {
    self.touches = touches
    self.delay = delay
    self.lift = lift
  }

  /// The reader asks for a finger.
  mutating func invite(at now: Duration) {
    guard arrival == nil, touch < touches else { return }
    arrival = now + delay
    touch += 1
  }

  /// The reader asks for the finger to be lifted; one that is still on its way stays on its way.
  mutating func dismiss(at now: Duration) {
    guard isDown(at: now), departure == nil else { return }
    departure = now + lift
  }

  mutating func isDown(at now: Duration) -> Bool {
    if let departure, departure <= now {
      arrival = nil
      self.departure = nil
    }
    guard let arrival else { return false }
    return arrival <= now
  }
}
