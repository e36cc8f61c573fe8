import FingerprintMatching
import GrayImage
import SyntheticPrints
import Testing

@Suite("Matching synthetic fingers")
struct SyntheticMatchingTests {
  private static func enrolled(_ finger: SyntheticFinger) throws -> FingerTemplate {
    var enrollment = Enrollment()
    for seed in 1...5 { _ = enrollment.add(try touch(finger, UInt64(seed))) }
    return try #require(enrollment.template())
  }

  @Test("E2: the owner's touches are accepted and a stranger's are refused")
  func ownersAndStrangers() throws {
    let fingers = (1...4).map { SyntheticFinger(seed: UInt64($0)) }
    let templates = try fingers.map(Self.enrolled)
    let matcher = PrintMatcher()
    for (number, finger) in fingers.enumerated() {
      for seed in 6...7 {
        let probe = try touch(finger, UInt64(seed))
        for (other, template) in templates.enumerated() {
          let score = matcher.score(probe: probe, against: template)
          #expect(
            (score >= PrintMatcher.threshold) == (other == number),
            "touch \(seed) of finger \(number) scores \(score) against finger \(other)")
        }
      }
    }
  }

  @Test("a touch scores the same against a template before and after storing it")
  func storedTemplate() throws {
    let finger = SyntheticFinger(seed: 11)
    let template = try Self.enrolled(finger)
    let stored = try FingerTemplate(decoding: template.encoded())
    let probe = try touch(finger, 9)
    let matcher = PrintMatcher()
    #expect(
      matcher.score(probe: probe, against: template)
        == matcher.score(probe: probe, against: stored))
  }

  @Test("a finger turned by a quarter is still recognized")
  func quarterTurn() throws {
    let finger = SyntheticFinger(seed: 12)
    let template = try Self.enrolled(finger)
    let picture = finger.impression(seed: 8)
    let turned = try image(width: picture.height, height: picture.width) { x, y in
      Int(picture[x: y, y: picture.height - 1 - x])
    }
    let score = PrintMatcher().score(
      probe: FeatureExtractor().features(of: turned), against: template)
    #expect(score >= PrintMatcher.threshold)
  }

  @Test("the resolution of the sensor does not matter")
  func otherResolution() throws {
    let finger = SyntheticFinger(seed: 13)
    let template = try Self.enrolled(finger)
    let picture = finger.impression(seed: 8)
    // Each pixel four times is the same finger at twice the resolution.
    let doubled = try image(
      width: picture.width * 2, height: picture.height * 2, pixelsPerInch: 1000
    ) { x, y in Int(picture[x: x / 2, y: y / 2]) }
    let score = PrintMatcher().score(
      probe: FeatureExtractor().features(of: doubled), against: template)
    #expect(score >= PrintMatcher.threshold)
  }
}
