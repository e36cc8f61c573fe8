import FingerprintMatching
import SyntheticPrints
import Testing

@Suite("Hostile images")
struct HostileImageTests {
  /// Windows of a full sensor and of small ones.
  static let windows = [(width: 300, height: 400), (112, 112), (88, 88)]

  private struct Owner: Sendable {
    let template: FingerTemplate
    let probes: [PrintFeatures]
  }

  /// Four fingers enrolled on each sensor, and touches of them that were not enrolled.
  private static let owners: [Owner] = {
    do {
      return try windows.flatMap { width, height in
        try (UInt64(0)..<4).map { try owner(440 + $0, width: width, height: height) }
      }
    } catch {
      Issue.record("no fingers to compare with: \(error)")
      return []
    }
  }()

  private static func owner(_ seed: UInt64, width: Int, height: Int) throws -> Owner {
    let finger = SyntheticFinger(seed: seed)
    let conditions = ImpressionConditions.careful.window(width: width, height: height)
    var enrollment = Enrollment()
    for number in UInt64(1)...4 {
      _ = enrollment.add(try touch(finger, number, conditions: conditions))
    }
    let probes = try (UInt64(5)...6).map { try touch(finger, $0, conditions: conditions) }
    return Owner(template: try #require(enrollment.template()), probes: probes)
  }

  @Test(
    "E2: no pattern matches any enrolled finger, nor does a finger that was enrolled from it, however often, match any print",
    arguments: HostilePattern.all)
  func matchesNoFinger(pattern: HostilePattern) throws {
    #expect(Self.owners.count == 12)
    let matcher = PrintMatcher()
    for features in try pattern.features(Self.windows) {
      var enrollment = Enrollment()
      for _ in 1...8 { _ = enrollment.add(features) }
      let pretender = enrollment.template()
      for (number, owner) in Self.owners.enumerated() {
        let score = matcher.score(probe: features, against: owner.template)
        #expect(score.isFinite)
        #expect(score < PrintMatcher.threshold, "against finger \(number)")
        guard let pretender else { continue }
        for probe in owner.probes {
          let score = matcher.score(probe: probe, against: pretender)
          #expect(score < PrintMatcher.threshold, "a touch of finger \(number)")
        }
      }
    }
  }

  @Test("an owner's touch is accepted by the full sensor that the patterns are tried on")
  func ownersAreAccepted() {
    for owner in Self.owners.prefix(4) {
      for probe in owner.probes {
        #expect(
          PrintMatcher().score(probe: probe, against: owner.template) >= PrintMatcher.threshold)
      }
    }
  }

  @Test(
    "an image without ridges has none",
    arguments: [
      "black", "white", "middle gray", "a gradient", "a single dark pixel",
    ])
  func noRidges(name: String) throws {
    let pattern = try #require(HostilePattern.plain.first { $0.testDescription == name })
    #expect(try pattern.features(Self.windows).allSatisfy { !$0.hasRidges })
  }
}
