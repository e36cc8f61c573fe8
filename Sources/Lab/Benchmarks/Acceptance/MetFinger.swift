import FingerprintMatching
import GrayImage

/// A finger as a core with a small sensor meets it: enrolled under guidance, then put on the sensor
/// to unlock.
struct MetFinger: Sendable {
  /// Tries before a session ends.
  static let tries = 3

  let name: String
  /// Number of its set.
  let set: Int
  /// Whose finger, see ``ImageSet/people``.
  let people: String
  /// Touches that enrollment asked for, and of them those it did not use.
  let touches, unused: Int
  /// Nil where too few touches could be used.
  let template: FingerTemplate?
  /// The touches of each session, ``tries`` of them.
  let sessions: [[PrintFeatures]]

  /// Enrolls a finger and tries it.
  ///
  /// - Parameters:
  ///   - finger: The finger.
  ///   - name: What it is called, which decides how its owner moves.
  ///   - set: Its set.
  ///   - number: The number of its set.
  ///   - size: Side of the sensor in pixels at 500 ppi.
  ///   - plan: How long enrollment may take and how often the finger is tried.
  /// - Throws: ``BenchmarkFailure`` for a size that no picture may have.
  init(
    _ finger: TouchedFinger, name: String, of set: ImageSet, number: Int, size: Int,
    plan: AcceptancePlan
  ) throws(BenchmarkFailure) {
    var person = GuidedPerson(size: size, seed: SampledFinger.seed(of: "\(name)/\(size)"))
    var enrollment = Enrollment()
    var touches = 0
    while touches < plan.touches, !enrollment.isComplete {
      let touch = try finger.touch(
        touches, for: .enrolling, at: person.enrollingAim(), size: size)
      let outcome = enrollment.add(touch)
      person.follow(outcome)
      touches += 1
    }
    self.name = name
    self.set = number
    people = set.people
    self.touches = touches
    unused = touches - enrollment.usableTouches
    template =
      enrollment.usableTouches >= Enrollment.minimumTouches ? enrollment.template() : nil
    var sessions: [[PrintFeatures]] = []
    for session in 0..<plan.sessions {
      var touches: [PrintFeatures] = []
      for touch in 0..<Self.tries {
        let aim = person.tryingAim()
        let number = session * Self.tries + touch
        touches.append(
          try finger.touch(number, for: .trying, at: aim, size: size))
      }
      sessions.append(touches)
    }
    self.sessions = sessions
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

  /// Prints of the whole finger, of which each touch shows a part.
  private let enrolling: [PatchCutter]
  private let trying: [PatchCutter]

  /// Takes the prints of a finger.
  ///
  /// - Parameters:
  ///   - finger: The finger.
  ///   - set: Its set.
  ///   - enrolled: Touches of enrollment show parts of impressions up to this in turns, others of
  ///     those after it.
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be read, or a finger without
  ///   impressions of both kinds.
  init(
    _ finger: ImageSet.Finger, of set: ImageSet, enrolled: Int
  ) throws(BenchmarkFailure) {
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

  /// What a sensor sees of one touch.
  ///
  /// People feel whether their finger covers a sensor: it lies at the nearest place that does.
  ///
  /// - Parameters:
  ///   - number: Which touch; it chooses the print.
  ///   - purpose: Whether the finger is being enrolled.
  ///   - aim: Where the middle of the sensor should lie, in pixels from the middle of the print.
  ///   - size: Side of the sensor in pixels at 500 ppi.
  /// - Returns: What it shows.
  /// - Throws: ``BenchmarkFailure`` for a size that no picture may have.
  func touch(
    _ number: Int, for purpose: Purpose, at aim: SIMD2<Double>, size: Int
  ) throws(BenchmarkFailure) -> PrintFeatures {
    let prints = purpose == .enrolling ? enrolling : trying
    let cutter = prints[number % prints.count].resized(to: size)
    let picture = cutter.image(at: cutter.place(nearest: cutter.middle + aim))
    let image = try picture.fingerprint(named: "a touch of \(size) pixels", pixelsPerInch: 500)
    return FeatureExtractor().features(of: image)
  }
}

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
