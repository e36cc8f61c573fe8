import FingerprintMatching
import SyntheticPrints
import Testing

@Suite("Small sensors")
struct SmallSensorTests {
  private static let small = ImpressionConditions.careful.window(width: 88, height: 88)

  private static func enrolled(_ finger: SyntheticFinger) throws -> FingerTemplate {
    var enrollment = Enrollment()
    for seed in 1...15 { _ = enrollment.add(try touch(finger, UInt64(seed), conditions: small)) }
    return try #require(enrollment.template())
  }

  @Test("X2: on a sensor of 88 pixels a side owners score above strangers")
  func ownersAndStrangers() throws {
    let fingers = (91...93).map { SyntheticFinger(seed: UInt64($0)) }
    let templates = try fingers.map(Self.enrolled)
    let matcher = PrintMatcher()
    var (owners, strangers): ([Double], [Double]) = ([], [])
    for (number, finger) in fingers.enumerated() {
      for seed in 21...23 {
        let probe = try touch(finger, UInt64(seed), conditions: Self.small)
        for (other, template) in templates.enumerated() {
          let score = matcher.score(probe: probe, against: template)
          if other == number { owners.append(score) } else { strangers.append(score) }
        }
      }
    }
    let highest = try #require(strangers.max())
    #expect(highest < PrintMatcher.threshold)
    #expect(owners.count { $0 > highest } >= 6, "\(owners) against \(strangers)")
    #expect(owners.count { $0 >= PrintMatcher.threshold } >= 6, "accepted: \(owners)")
  }
}
