import FingerprintMatching

/// Where a person puts a finger who does what enrollment asks for, as well as people can.
struct GuidedPerson {
  /// How far from the middle of the finger people go, to each side and along, in pixels at 500 ppi.
  static let region = SIMD2(70.0, 95.0)
  /// Standard deviation of where a finger comes to lie about where it was meant to, 0.6 mm.
  static let unsteadiness = 12.0
  /// The same about the middle of the finger when nobody asks for anything, 1 mm.
  static let habit = 20.0
  /// How far a finger moves that is asked to, as a share of the sensor's side.
  static let step = 0.35

  private let size: Double
  private var aim = SIMD2(0.0, 0.0)
  /// Where the last touch was aimed at that was taken.
  private var used = SIMD2(0.0, 0.0)
  private var numbers: RandomNumbers

  /// - Parameters:
  ///   - size: Side of the sensor in pixels at 500 ppi.
  ///   - seed: The same seed gives the same person.
  init(size: Int, seed: UInt64) {
    self.size = Double(size)
    numbers = RandomNumbers(seed: seed)
  }

  /// Where the next touch of an enrollment is aimed at, from the middle of the finger; y down.
  mutating func enrollingAim() -> SIMD2<Double> { aim + scatter(Self.unsteadiness) }

  /// Where a touch is aimed at by someone who wants to unlock.
  mutating func tryingAim() -> SIMD2<Double> { scatter(Self.habit) }

  /// Follows what enrollment said of a touch.
  mutating func follow(_ outcome: Enrollment.Outcome) {
    switch outcome {
    case .accepted(_, let advice):
      used = aim
      move(by: advice)
    // What joined nothing is tried again nearer to what was taken, and what was bad in the middle.
    case .waiting: aim = (aim + used) / 2
    case .refused: aim /= 2
    }
    let reach = Self.region
    aim = aim.clamped(lowerBound: -reach, upperBound: reach)
  }

  /// As the finger moves to the right, what lies left on it comes over the sensor.
  private mutating func move(by advice: Enrollment.Guidance?) {
    let way = size * Self.step
    switch advice {
    case .moveLeft: aim.x += way
    case .moveRight: aim.x -= way
    case .moveUp: aim.y += way
    case .moveDown: aim.y -= way
    case .differentPart:
      aim = Self.region * SIMD2(uniform(), uniform())
    default:
      // Asked for another touch and nothing else, people move a little.
      let turn = uniform() > 0 ? 1.0 : -1.0
      aim += uniform() > 0 ? SIMD2(turn * way, 0) : SIMD2(0, turn * way)
    }
  }

  private mutating func uniform() -> Double { .random(in: -1...1, using: &numbers) }

  /// About normally distributed: the sum of six uniform numbers.
  private mutating func scatter(_ deviation: Double) -> SIMD2<Double> {
    var sum = SIMD2(0.0, 0.0)
    for _ in 0..<6 { sum += SIMD2(uniform(), uniform()) }
    return sum * (deviation / 2.0.squareRoot())
  }
}
