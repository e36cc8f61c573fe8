import FingerprintMatching
import GrayImage
import SyntheticPrints
import Testing

@Suite("Learning from good matches")
struct AdaptingTests {
  private static let small = ImpressionConditions.everyday.window(width: 160, height: 160)
  private static let smaller = ImpressionConditions.everyday.window(width: 128, height: 128)

  @Test("what good matches at a small sensor teach shuts no owner out and lets no stranger in")
  func learns() throws {
    var (before, after, learned) = (0, 0, 0)
    var storage = MatchingStorage()
    let matcher = PrintMatcher()
    for seed in UInt64(501)...504 {
      let finger = SyntheticFinger(seed: seed)
      var adapting = AdaptingTemplate(
        of: try enrolled(finger, touches: 1...3, conditions: Self.smaller))
      let asEnrolled = adapting.original.encoded()
      for number in UInt64(20)...29 {
        let probe = try touch(finger, number, conditions: Self.smaller)
        if adapting.learn(from: probe, using: &storage) { learned += 1 }
      }
      #expect(adapting.original.encoded() == asEnrolled)
      for number in UInt64(40)...49 {
        let probe = try touch(finger, number, conditions: Self.smaller)
        let (first, then) = (
          matcher.score(probe: probe, against: adapting.original, using: &storage),
          matcher.score(probe: probe, against: adapting.current, using: &storage)
        )
        before += first >= PrintMatcher.threshold ? 1 : 0
        after += then >= PrintMatcher.threshold ? 1 : 0
        let stranger = try touch(
          SyntheticFinger(seed: seed + 1000), number, conditions: Self.smaller)
        #expect(
          matcher.score(probe: stranger, against: adapting.current, using: &storage)
            < PrintMatcher.threshold)
      }
    }
    #expect(learned >= 4)
    #expect(
      after >= before && before >= 30, "\(before), then \(after) of 40, from \(learned) touches")
  }

  @Test("a finger of a large sensor stays as it was enrolled")
  func large() throws {
    let finger = SyntheticFinger(seed: 511)
    var adapting = AdaptingTemplate(
      of: try enrolled(finger, touches: 1...3, conditions: .everyday))
    var storage = MatchingStorage()
    #expect(!adapting.learn(from: try touch(finger, 20), using: &storage))
    #expect(adapting.current.encoded() == adapting.original.encoded())
  }

  /// The left part of another picture, `share` of the width, beside the rest of the own.
  private func mixed(_ own: GrayImage, _ other: GrayImage, share: Double) -> GrayImage {
    let edge = Int(share * Double(own.width))
    var pixels = own.pixels
    for y in 0..<own.height {
      for x in 0..<edge { pixels[y * own.width + x] = other.pixels[y * own.width + x] }
    }
    return GrayImage(width: own.width, height: own.height, pixels: pixels)
  }

  @Test("over 200 matches that drift towards another finger none of that finger's is accepted")
  func drift() throws {
    let (owner, other) = (SyntheticFinger(seed: 521), SyntheticFinger(seed: 522))
    var adapting = AdaptingTemplate(
      of: try enrolled(owner, touches: 1...6, conditions: Self.small))
    var storage = MatchingStorage()
    let strangers = try (UInt64(50)...57).map { try touch(other, $0, conditions: Self.small) }
    // A little more of the other finger at each of forty steps, each shown again and again.
    let steps = try (0..<40).map { step in
      let seed = UInt64(20 + step)
      let picture = mixed(
        owner.impression(seed: seed, conditions: Self.small),
        other.impression(seed: seed, conditions: Self.small), share: Double(step) / 40)
      return FeatureExtractor().features(of: try fingerprint(picture))
    }
    var learned = 0
    for match in 0..<200 {
      if adapting.learn(from: steps[match / 5], using: &storage) { learned += 1 }
      guard match % 20 == 10 else { continue }
      for stranger in strangers {
        let score = PrintMatcher().score(
          probe: stranger, against: adapting.current, using: &storage)
        #expect(score < PrintMatcher.threshold, "after \(match) matches")
      }
    }
    #expect((1...AdaptingTemplate.mostTouches).contains(learned))
    let later = try touch(owner, 20, conditions: Self.small)
    #expect(
      PrintMatcher().score(probe: later, against: adapting.current, using: &storage)
        >= PrintMatcher.threshold)
  }
}
