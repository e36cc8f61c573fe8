import FingerprintMatching

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
