import GrayImage
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("Enrollment")
struct EnrollmentTests {
  @Test(
    "coverage never falls, and four to six touches of a full sensor complete a finger",
    arguments: [21, 22, 23])
  func fullSensor(seed: UInt64) throws {
    let finger = SyntheticFinger(seed: seed)
    var enrollment = Enrollment()
    var coverage = 0.0
    #expect(enrollment.template() == nil)
    while !enrollment.isComplete, enrollment.usableTouches < 7 {
      let number = UInt64(enrollment.usableTouches + 1)
      guard case .accepted(let next, _) = enrollment.add(try touch(finger, number)) else {
        Issue.record("touch \(number) was refused")
        return
      }
      #expect(next >= coverage && next <= 1)
      coverage = next
    }
    #expect((4...6).contains(enrollment.usableTouches))
    #expect(coverage == enrollment.coverage)
  }

  @Test("a finger that is not lifted is not known any better, and the person is told to lift it")
  func notLifted() throws {
    let finger = SyntheticFinger(seed: 27)
    let held = try touch(finger, 1)
    var enrollment = Enrollment()
    _ = enrollment.add(held)
    _ = enrollment.add(try touch(finger, 2))
    let coverage = enrollment.coverage
    #expect(enrollment.add(try touch(finger, 2)) == .accepted(coverage: coverage, advice: .lift))
    #expect(enrollment.coverage == coverage)
    _ = enrollment.add(try touch(finger, 3))
    #expect(enrollment.coverage > coverage)
  }

  /// The finger in a window of one size that lies somewhere else each time, around a place `dx` and
  /// `dy` pixels from the finger's middle.
  private func shifted(_ finger: SyntheticFinger, dx: Int, dy: Int) throws -> [PrintFeatures] {
    let wide = ImpressionConditions.careful.window(width: 600, height: 900)
    return try (UInt64(1)...3).map { number in
      let picture = finger.impression(seed: number, conditions: wide)
        .cropped(x: 140 + dx, y: 260 + dy, width: 320, height: 380)
      return FeatureExtractor().features(of: try fingerprint(picture))
    }
  }

  @Test(
    "the person is told to move so that the side comes over the sensor that was not seen",
    arguments: [
      (-130, 0, Enrollment.Guidance.moveLeft), (130, 0, .moveRight), (0, -190, .moveUp),
      (0, 190, .moveDown),
    ])
  func moves(dx: Int, dy: Int, move: Enrollment.Guidance) throws {
    for seed in [61, 62, 63] {
      var enrollment = Enrollment()
      var advice: [Enrollment.Guidance] = []
      for touch in try shifted(SyntheticFinger(seed: UInt64(seed)), dx: dx, dy: dy) {
        if case .accepted(_, let next?) = enrollment.add(touch) { advice.append(next) }
      }
      #expect(advice.contains(move) && advice.allSatisfy { $0 == move }, "finger \(seed)")
    }
  }

  @Test("nobody is told to move whose finger was seen from end to end")
  func seenWhole() throws {
    let wide = ImpressionConditions.careful.window(width: 400, height: 500)
    let finger = SyntheticFinger(seed: 64)
    var enrollment = Enrollment()
    for number in 1...3 {
      guard
        case .accepted(_, let advice) = enrollment.add(
          try touch(finger, UInt64(number), conditions: wide))
      else { continue }
      #expect(advice == nil)
    }
    #expect(enrollment.usableTouches == 3)
  }

  @Test("touches of a small sensor need more than five")
  func smallSensor() throws {
    let finger = SyntheticFinger(seed: 22)
    let small = ImpressionConditions.careful.window(width: 112, height: 112)
    var enrollment = Enrollment()
    for seed in 1...5 { _ = enrollment.add(try touch(finger, UInt64(seed), conditions: small)) }
    #expect(enrollment.usableTouches >= Enrollment.minimumTouches)
    #expect(!enrollment.isComplete)
  }

  @Test("an empty frame is refused and changes nothing")
  func emptyFrame() throws {
    var enrollment = Enrollment()
    let blank = FeatureExtractor().features(of: try image(width: 300, height: 300) { _, _ in 255 })
    #expect(enrollment.add(blank) == .refused(.noRidges))
    #expect(enrollment.usableTouches == 0)
    #expect(enrollment.coverage == 0)
    #expect(enrollment.template() == nil)
  }

  @Test("a touch of another finger waits, and the person is told")
  func anotherFinger() throws {
    let finger = SyntheticFinger(seed: 23)
    var enrollment = Enrollment()
    for seed in 1...3 { _ = enrollment.add(try touch(finger, UInt64(seed), conditions: .careful)) }
    let stranger = try touch(SyntheticFinger(seed: 24), 1, conditions: .careful)
    #expect(enrollment.add(stranger) == .waiting(.notTheSameFinger))
    #expect(enrollment.usableTouches == 3)
  }

  @Test("a finger enrolled again is recognized as the one there is")
  func duplicate() throws {
    let finger = SyntheticFinger(seed: 25)
    let template = try enrolled(finger)
    let scores = try (11...13).map {
      PrintMatcher().score(probe: try touch(finger, UInt64($0)), against: template)
    }
    #expect(scores.allSatisfy { $0 >= PrintMatcher.threshold })
  }

  @Test("however many touches come, the template stays within its bounds")
  func manyTouches() throws {
    let finger = SyntheticFinger(seed: 26)
    let small = ImpressionConditions.careful.window(width: 128, height: 128)
    let touches = try (1...6).map { try touch(finger, UInt64($0), conditions: small) }
    var enrollment = Enrollment()
    for number in 0..<40 { _ = enrollment.add(touches[number % touches.count]) }
    #expect(enrollment.isComplete)
    let bytes = try #require(enrollment.template()).encoded()
    #expect(bytes.count <= FingerTemplate.mostBytes)
    #expect(throws: Never.self) { try FingerTemplate(decoding: bytes) }
  }
}

@Suite("What an enrollment has seen")
struct SeenFingerTests {
  @Test("E6: it grows with every touch, fits its bounds, and is too coarse to show a ridge")
  func grows() throws {
    var enrollment = Enrollment(isOfOneFinger: false)
    #expect(enrollment.seen == nil)
    let finger = SyntheticFinger(seed: 11)
    var most: UInt8 = 0
    for seed: UInt64 in 0..<4 {
      let print = finger.impression(seed: seed, conditions: .careful)
      let image = try FingerprintImage(
        width: print.width, height: print.height, pixelsPerInch: 500, pixels: print.pixels)
      _ = enrollment.add(FeatureExtractor().features(of: image))
      let seen = try #require(enrollment.seen)
      #expect(seen.times.count == seen.columns * seen.rows)
      #expect(seen.clarity.count == seen.times.count)
      #expect(max(seen.columns, seen.rows) <= SeenFinger.mostPlaces)
      #expect(zip(seen.times, seen.clarity).allSatisfy { ($0 == 0) == ($1 == 0) })
      #expect(seen.clarity.allSatisfy { $0 <= SeenFinger.mostSteps })
      let times = try #require(seen.times.max())
      #expect(times >= most)
      most = times
    }
    #expect(most >= 3)
    // A ridge and a valley are 9 pixels of 500 ppi wide, a place 24.
    #expect(SeenFinger.cellsOfPlace * CellGrid.side >= 2 * 9)
  }
}

@Suite("Coverage of a finger")
struct FingerCoverageTests {
  private func coverage(_ depths: [Int], cellArea: Double = 1) -> Double {
    FingerCoverage(depths: depths, cellArea: cellArea).share
  }

  @Test("nothing seen, and nothing seen twice, is no coverage")
  func nothing() {
    #expect(coverage([]) == 0)
    #expect(coverage([0, -3, 0]) == 0)
    #expect(coverage([Int](repeating: 1, count: 500)) == 0)
    #expect(coverage([5, 5, 5], cellArea: 0) == 0)
  }

  @Test("a touch that shows what was seen raises it until the finger is known")
  func deeper() {
    var last = 0.0
    for depth in 2...3 {
      let next = coverage([Int](repeating: depth, count: 200))
      #expect(next > last && next < Enrollment.enough)
      last = next
    }
    #expect(coverage([Int](repeating: 4, count: 200)) == 1)
  }

  @Test("a part that was seen once only holds it back")
  func singles() {
    let known = [Int](repeating: 4, count: 200)
    #expect(coverage(known + [Int](repeating: 1, count: 200)) < Enrollment.enough)
  }

  @Test("the same spot again and again is not a finger")
  func oneSpot() {
    #expect(coverage([Int](repeating: 1000, count: 20)) == 0.25)
  }
}
