import FingerprintMatching
import GrayImage
import SyntheticPrints

/// A finger as a core with a small sensor meets it: enrolled under guidance, then put on the sensor
/// to unlock.
struct MetFinger: Sendable {
  /// Tries before a session ends.
  static let tries = 3

  let name: String
  let set: Int
  /// See ``ImageSet/people``.
  let people: String
  /// Touches that enrollment asked for, and those of them it did not use.
  let touches, unused: Int
  /// Nil if too few touches could be used.
  let template: FingerTemplate?
  /// ``tries`` touches of each session.
  let sessions: [[PrintFeatures]]

  /// Enrolls a finger and tries it.
  ///
  /// - `name`: Decides how its owner moves.
  /// - `size`: Side of the sensor in pixels at 500 ppi.
  init(
    _ finger: TouchedFinger, name: String, of set: ImageSet, number: Int, size: Int,
    plan: AcceptancePlan
  ) throws {
    var person = GuidedPerson(size: size, seed: SampledFinger.seed(of: "\(name)/\(size)"))
    var enrollment = Enrollment()
    var touches = 0
    while touches < plan.touches, !enrollment.isComplete {
      let touch = try finger.touch(touches, for: .enrolling, at: person.enrollingAim(), size: size)
      person.follow(enrollment.add(touch))
      touches += 1
    }
    self.name = name
    self.set = number
    people = set.people
    self.touches = touches
    unused = touches - enrollment.usableTouches
    template = enrollment.usableTouches >= Enrollment.minimumTouches ? enrollment.template() : nil
    sessions = try (0..<plan.sessions).map { session in
      try (0..<Self.tries).map { touch in
        try finger.touch(
          session * Self.tries + touch, for: .trying, at: person.tryingAim(), size: size)
      }
    }
  }
}

/// What is asked of each finger.
struct AcceptancePlan: Sendable {
  /// Touches after which enrollment ends, complete or not.
  let touches: Int
  /// Sessions of ``MetFinger/tries`` tries.
  let sessions: Int
}

/// A finger that is put on a small sensor again and again.
struct TouchedFinger: Sendable {
  /// What a touch is for: people enroll on one day and use the sensor on others.
  enum Purpose: Sendable {
    case enrolling, trying
  }

  /// Prints of the whole finger; each touch shows a part of one.
  private let enrolling: [PatchCutter]
  private let trying: [PatchCutter]

  /// Takes the prints of a finger. Touches of enrollment show parts of the impressions up to
  /// `enrolled` in turns, others of those after it.
  ///
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be read, or without impressions of
  ///   both kinds.
  init(_ finger: ImageSet.Finger, of set: ImageSet, enrolled: Int) throws(BenchmarkFailure) {
    var (enrolling, trying): ([PatchCutter], [PatchCutter]) = ([], [])
    for (impression, picture) in zip(finger.impressions, try set.images(of: finger)) {
      let print = BicubicResampling.image(picture, from: set.pixelsPerInch, to: 500)
      let cutter = PatchCutter(print, size: 1)
      if impression <= enrolled { enrolling.append(cutter) } else { trying.append(cutter) }
    }
    guard !enrolling.isEmpty, !trying.isEmpty else {
      throw BenchmarkFailure(
        "\(set.name)/\(finger.name): impressions up to \(enrolled) and beyond are needed")
    }
    (self.enrolling, self.trying) = (enrolling, trying)
  }

  /// What a sensor sees of one touch. People feel whether their finger covers a sensor, so it lies
  /// at the nearest place that does.
  ///
  /// - `number`: Which touch; it chooses the print.
  /// - `aim`: Where the middle of the sensor should lie, in pixels from the middle of the print.
  /// - `size`: Side of the sensor in pixels at 500 ppi.
  func touch(
    _ number: Int, for purpose: Purpose, at aim: SIMD2<Double>, size: Int
  ) throws(BenchmarkFailure) -> PrintFeatures {
    let prints = purpose == .enrolling ? enrolling : trying
    let cutter = prints[number % prints.count].resized(to: size)
    let picture = cutter.image(at: cutter.place(nearest: cutter.middle + aim))
    return try picture.features(named: "a touch of \(size) pixels")
  }
}

/// Where a person puts a finger who follows enrollment's advice as well as people can.
struct GuidedPerson {
  /// How far from the middle of the finger people go, to each side and along, in pixels at 500 ppi.
  static let region = SIMD2(70.0, 95.0)
  /// Standard deviation of a finger's place about the intended one, 0.6 mm.
  static let unsteadiness = 12.0
  /// The same about the middle of the finger without advice, 1 mm.
  static let habit = 20.0
  /// How far a finger moves if asked to, as a share of the sensor's side.
  static let step = 0.35

  private let size: Double
  private var aim = SIMD2(0.0, 0.0)
  /// The aim of the last touch that was taken.
  private var used = SIMD2(0.0, 0.0)
  private var numbers: RandomNumbers

  init(size: Int, seed: UInt64) {
    self.size = Double(size)
    numbers = RandomNumbers(seed: seed)
  }

  /// The aim of the next touch of an enrollment, from the middle of the finger; y down.
  mutating func enrollingAim() -> SIMD2<Double> { aim + scatter(Self.unsteadiness) }

  /// The aim of a touch to unlock.
  mutating func tryingAim() -> SIMD2<Double> { scatter(Self.habit) }

  mutating func follow(_ verdict: Enrollment.Verdict) {
    switch verdict {
    case .accepted(_, let advice):
      used = aim
      move(by: advice)
    // A touch that joined nothing is tried again nearer to the last taken one, a bad one nearer to
    // the middle.
    case .waiting: aim = (aim + used) / 2
    case .refused: aim /= 2
    }
    let reach = Self.region
    aim = aim.clamped(lowerBound: -reach, upperBound: reach)
  }

  /// Moving the finger to the right brings its left side over the sensor.
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
      // People asked only for another touch move a little.
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
