import GrayImage
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("What to say of a touch")
struct TouchAdviceTests {
  private func wishes(
    moisture: Double, _ conditions: ImpressionConditions
  ) throws -> [Enrollment.Guidance?] {
    var conditions = conditions
    conditions.moisture = moisture...moisture
    return try (UInt64(1)...5).map {
      let touch = try touch(SyntheticFinger(seed: 70 + $0), 1, conditions: conditions)
      #expect(TouchAdvice.refusal(of: touch) == nil)
      return TouchAdvice.wish(after: touch)
    }
  }

  private static let hands: [ImpressionConditions] = [.careful, .everyday]

  @Test("a very dry touch is called dry", arguments: hands)
  func dry(conditions: ImpressionConditions) throws {
    #expect(try wishes(moisture: -1, conditions).allSatisfy { $0 == .tooDry })
  }

  @Test("a very wet touch is called wet", arguments: hands)
  func wet(conditions: ImpressionConditions) throws {
    #expect(try wishes(moisture: 1, conditions).allSatisfy { $0 == .tooWet })
  }

  @Test("a touch with ordinary skin is called neither", arguments: hands, [-0.5, 0, 0.5])
  func ordinary(conditions: ImpressionConditions, moisture: Double) throws {
    #expect(try wishes(moisture: moisture, conditions).allSatisfy { $0 == nil })
  }

  @Test("the wetter the skin, the lower the skewness of the gray levels")
  func skewness() throws {
    let finger = SyntheticFinger(seed: 76)
    var last = Double.infinity
    for moisture in stride(from: -1.0, through: 1, by: 0.25) {
      var conditions = ImpressionConditions.everyday
      conditions.moisture = moisture...moisture
      let skewness = try touch(finger, 1, conditions: conditions).condition.skewness
      #expect(skewness < last)
      last = skewness
    }
  }

  @Test("the tip of a finger is called small on a large sensor and not on a small one")
  func small() throws {
    let picture = SyntheticFinger(seed: 77).impression(seed: 1, conditions: .careful)
    let tip = picture.cropped(x: 100, y: 150, width: 100, height: 100)
    let alone = FeatureExtractor().features(of: try fingerprint(tip))
    let amidBlank = FeatureExtractor().features(
      of: try image(width: 300, height: 400) { x, y in
        (100..<200).contains(x) && (150..<250).contains(y) ? Int(tip[x: x - 100, y: y - 150]) : 235
      })
    #expect(TouchAdvice.wish(after: alone) == nil)
    #expect(TouchAdvice.wish(after: amidBlank) == .tooSmall)
  }

  @Test("nothing is wrong with a careful touch of a small sensor", arguments: [88, 112, 160])
  func smallSensor(side: Int) throws {
    let window = ImpressionConditions.careful.window(width: side, height: side)
    for seed in 90..<96 {
      let touch = try touch(SyntheticFinger(seed: UInt64(seed)), 1, conditions: window)
      #expect(TouchAdvice.refusal(of: touch) == nil)
      #expect(TouchAdvice.wish(after: touch) == nil)
    }
  }

  @Test("ridges without a single minutia over a large area are no finger")
  func stripes() throws {
    for pattern in HostilePattern.stripes {
      let touch = try #require(try pattern.features([(300, 400)]).first)
      #expect(TouchAdvice.refusal(of: touch) != nil, "\(pattern)")
    }
  }

  @Test("quality ranks touches as their scores do")
  func prediction() throws {
    var pairs: [(quality: Double, score: Double)] = []
    for seed in 1...6 {
      let finger = SyntheticFinger(seed: UInt64(780 + seed))
      for conditions in [ImpressionConditions.careful, .everyday, .poor] {
        let (one, other) = (
          try touch(finger, 1, conditions: conditions), try touch(finger, 2, conditions: conditions)
        )
        var enrollment = Enrollment()
        _ = enrollment.add(one)
        let template = try #require(enrollment.template())
        pairs.append(
          (min(one.quality, other.quality), PrintMatcher().score(probe: other, against: template)))
      }
    }
    #expect(Self.rankCorrelation(pairs) > 0.4)
  }

  /// Spearman's, for figures without ties.
  private static func rankCorrelation(_ pairs: [(quality: Double, score: Double)]) -> Double {
    func ranks(_ values: [Double]) -> [Int] {
      values.map { value in values.count { $0 < value } }
    }
    let differences = zip(ranks(pairs.map(\.quality)), ranks(pairs.map(\.score))).map { $0 - $1 }
    let squares = Double(differences.reduce(0) { $0 + $1 * $1 })
    let count = Double(pairs.count)
    return 1 - 6 * squares / (count * (count * count - 1))
  }

  @Test(
    "E2: no print of a real finger is refused",
    .enabled(if: RealPrints.areThere, "needs AUTHCORE_SHARED"),
    arguments: [("DB1_B", 500), ("DB2_B", 569), ("DB3_B", 500), ("DB4_B", 500)])
  func realPrints(set: String, pixelsPerInch: Int) throws {
    for finger in 101...110 {
      for impression in 1...8 {
        let touch = try RealPrints.features(set, finger, impression, pixelsPerInch: pixelsPerInch)
        #expect(TouchAdvice.refusal(of: touch) == nil, "\(finger)_\(impression)")
      }
    }
  }
}
