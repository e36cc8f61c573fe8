import FingerprintMatching
import SyntheticPrints
import Testing

@Suite("Enrolment")
struct EnrolmentTests {
  @Test("coverage never falls and five good touches complete a full-size finger")
  func fiveTouches() throws {
    let finger = SyntheticFinger(seed: 21)
    var enrolment = Enrolment()
    var coverage = 0.0
    #expect(enrolment.template() == nil)
    for seed in 1...5 {
      #expect(!enrolment.isComplete)
      guard case .accepted(let next, _) = enrolment.add(try touch(finger, UInt64(seed))) else {
        Issue.record("touch \(seed) was refused")
        return
      }
      #expect(next >= coverage && next <= 1)
      coverage = next
    }
    #expect(enrolment.isComplete)
    #expect(enrolment.usableTouches == 5)
    #expect(coverage == enrolment.coverage)
  }

  @Test("touches of a small sensor need more than five")
  func smallSensor() throws {
    let finger = SyntheticFinger(seed: 22)
    let small = ImpressionConditions.careful.window(width: 112, height: 112)
    var enrolment = Enrolment()
    for seed in 1...5 { _ = enrolment.add(try touch(finger, UInt64(seed), conditions: small)) }
    #expect(enrolment.usableTouches >= Enrolment.minimumTouches)
    #expect(!enrolment.isComplete)
  }

  @Test("an empty frame is refused and changes nothing")
  func emptyFrame() throws {
    var enrolment = Enrolment()
    let blank = FeatureExtractor().features(of: try image(width: 300, height: 300) { _, _ in 255 })
    #expect(enrolment.add(blank) == .refused(.noRidges))
    #expect(enrolment.usableTouches == 0)
    #expect(enrolment.coverage == 0)
    #expect(enrolment.template() == nil)
  }

  @Test("a touch of another finger is told apart while enrolling")
  func anotherFinger() throws {
    let finger = SyntheticFinger(seed: 23)
    var enrolment = Enrolment()
    for seed in 1...3 { _ = enrolment.add(try touch(finger, UInt64(seed), conditions: .careful)) }
    let stranger = try touch(SyntheticFinger(seed: 24), 1, conditions: .careful)
    #expect(enrolment.add(stranger) == .refused(.notTheSameFinger))
    #expect(enrolment.usableTouches == 3)
  }

  @Test("a finger enrolled again is recognised as the one there is")
  func duplicate() throws {
    let finger = SyntheticFinger(seed: 25)
    var enrolment = Enrolment()
    for seed in 1...5 { _ = enrolment.add(try touch(finger, UInt64(seed))) }
    let template = try #require(enrolment.template())
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
    var enrolment = Enrolment()
    for number in 0..<40 { _ = enrolment.add(touches[number % touches.count]) }
    #expect(enrolment.isComplete)
    let bytes = try #require(enrolment.template()).encoded()
    #expect(bytes.count <= FingerTemplate.mostBytes)
    #expect(throws: Never.self) { try FingerTemplate(decoding: bytes) }
  }
}
