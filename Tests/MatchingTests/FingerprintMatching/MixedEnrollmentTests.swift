import FingerprintMatching
import SyntheticPrints
import Testing

/// A second finger that touches while another one is enrolled.
@Suite("Enrolling while another finger touches too")
struct MixedEnrollmentTests {
  /// A sensor, and how many touches it enrolls a finger from.
  struct Sensor: CustomTestStringConvertible, Sendable {
    let conditions: ImpressionConditions
    let touches: Int
    let name: String

    var testDescription: String { name }

    static let all = [
      Sensor(conditions: .everyday, touches: 5, name: "full"),
      Sensor(conditions: .everyday.window(width: 160, height: 160), touches: 10, name: "160 px"),
      Sensor(conditions: .everyday.window(width: 88, height: 88), touches: 15, name: "88 px"),
    ]
  }

  /// Prints of one finger at a sensor: those it is enrolled from, and later ones.
  private struct Finger {
    let enrolling: [PrintFeatures]
    let later: [PrintFeatures]

    init(seed: UInt64, at sensor: Sensor) throws {
      let finger = SyntheticFinger(seed: seed)
      let touches = try (1...UInt64(sensor.touches + 6)).map {
        try touch(finger, $0, conditions: sensor.conditions)
      }
      enrolling = Array(touches[..<sensor.touches])
      later = Array(touches[sensor.touches...])
    }

    /// How many of its prints open a finger, including those shown at its enrollment.
    func opens(_ template: FingerTemplate?) -> Int {
      guard let template else { return 0 }
      var storage = MatchingStorage()
      return (later + enrolling).count {
        PrintMatcher().score(probe: $0, against: template, using: &storage)
          >= PrintMatcher.threshold
      }
    }
  }

  private func template(of touches: [PrintFeatures]) -> FingerTemplate? {
    var enrollment = Enrollment()
    for touch in touches { _ = enrollment.add(touch) }
    return enrollment.usableTouches >= Enrollment.minimumTouches ? enrollment.template() : nil
  }

  @Test(
    "a touch of another finger, whenever it comes, never opens the device; the owner does as before",
    arguments: Sensor.all)
  func mixedIn(sensor: Sensor) throws {
    for seed in [UInt64(401), 403] {
      let owner = try Finger(seed: seed, at: sensor)
      let other = try Finger(seed: seed + 1, at: sensor)
      let alone = owner.opens(template(of: owner.enrolling))
      for place in stride(from: 0, through: sensor.touches, by: sensor.touches > 5 ? 4 : 1) {
        var touches = owner.enrolling
        touches.insert(other.enrolling[place % other.enrolling.count], at: place)
        let enrolled = template(of: touches)
        #expect(other.opens(enrolled) == 0, "touch \(place) of finger \(seed)")
        #expect(owner.opens(enrolled) >= alone - 1, "touch \(place) of finger \(seed)")
      }
    }
  }

  @Test("of two fingers that take turns the second never opens the device", arguments: Sensor.all)
  func alternating(sensor: Sensor) throws {
    for seed in [UInt64(405), 407] {
      let owner = try Finger(seed: seed, at: sensor)
      let other = try Finger(seed: seed + 1, at: sensor)
      let enrolled = template(of: zip(owner.enrolling, other.enrolling).flatMap { [$0, $1] })
      #expect(other.opens(enrolled) == 0, "finger \(seed)")
      // Few of the owner's touches of a tiny sensor open it either.
      if sensor.touches < 15 { #expect(owner.opens(enrolled) >= sensor.touches, "finger \(seed)") }
    }
  }

  @Test("a first touch of another finger is forgotten once the owner's join")
  func slipped() throws {
    let owner = try Finger(seed: 409, at: Sensor.all[0])
    let other = try Finger(seed: 410, at: Sensor.all[0])
    var enrollment = Enrollment()
    _ = enrollment.add(other.enrolling[0])
    #expect(enrollment.add(owner.enrolling[0]) == .waiting(.notTheSameFinger))
    for touch in owner.enrolling.dropFirst() { _ = enrollment.add(touch) }
    #expect(enrollment.usableTouches == owner.enrolling.count)
    #expect(other.opens(enrollment.template()) == 0)
    #expect(owner.opens(enrollment.template()) >= owner.enrolling.count)
  }

  @Test("fingers that take turns and begin with one that is not the most frequent are not enrolled")
  func notPlain() throws {
    let sensor = Sensor.all[0]
    let fingers = try (UInt64(411)...413).map { try Finger(seed: $0, at: sensor) }
    var enrollment = Enrollment()
    _ = enrollment.add(fingers[0].enrolling[0])
    for number in 0..<4 {
      _ = enrollment.add(fingers[1].enrolling[number])
      _ = enrollment.add(fingers[2].enrolling[number])
    }
    #expect(enrollment.template() == nil)
    #expect(!enrollment.isComplete)
  }
}
