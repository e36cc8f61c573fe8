import Glibc
import GrayImage
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("Matching synthetic fingers")
struct SyntheticMatchingTests {
  @Test("E2: the owner's touches are accepted and a stranger's are refused")
  func ownersAndStrangers() throws {
    let fingers = (1...4).map { SyntheticFinger(seed: UInt64($0)) }
    let templates = try fingers.map { try enrolled($0) }
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

  @Test(
    "E2: loops with minutiae where their alike flow asks for them do not open each other",
    arguments: [(102, 30, 6), (136, 150, 8), (31, 30, 8), (31, 150, 7), (34, 185, 8)])
  func alikeLoops(own: UInt64, other: UInt64, impression: UInt64) throws {
    let (owner, stranger) = (
      SyntheticFinger(seed: 5_000_015 + other), SyntheticFinger(seed: 5_000_015 + own)
    )
    let template = try enrolled(owner, touches: 1...5, conditions: .careful)
    let probe = try touch(stranger, impression, conditions: .careful)
    #expect(PrintMatcher().score(probe: probe, against: template) < PrintMatcher.threshold)
  }

  @Test("a touch scores the same against a template before and after storing it")
  func storedTemplate() throws {
    let finger = SyntheticFinger(seed: 11)
    let template = try enrolled(finger)
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
    let template = try enrolled(finger)
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
    let template = try enrolled(finger)
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

@Suite("Small sensors")
struct SmallSensorTests {
  private static let small = ImpressionConditions.careful.window(width: 88, height: 88)

  @Test("X2: on a sensor of 88 pixels a side owners score above strangers")
  func ownersAndStrangers() throws {
    let fingers = (91...93).map { SyntheticFinger(seed: UInt64($0)) }
    let templates = try fingers.map { try enrolled($0, touches: 1...15, conditions: Self.small) }
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

  @Test("X2: on 160 pixels, ridges speak for owners whose minutiae are hardly alike")
  func undecidedMinutiae() throws {
    let dragged = ImpressionConditions.dragged.window(width: 160, height: 160)
    let fingers = (91...96).map { SyntheticFinger(seed: UInt64($0)) }
    let careful = ImpressionConditions.careful.window(width: 160, height: 160)
    let templates = try fingers.map { try enrolled($0, touches: 1...8, conditions: careful) }
    var minutiae = MinutiaSearch()
    var (undecided, strangers): ([Double], [Double]) = ([], [])
    for (number, finger) in fingers.enumerated() {
      for seed in 21...26 {
        let probe = try touch(finger, UInt64(seed), conditions: dragged)
        for (other, template) in templates.enumerated() {
          let score = PrintMatcher().score(probe: probe, against: template)
          guard other == number else {
            strangers.append(score)
            continue
          }
          let likeness = template.parts.compactMap {
            minutiae.best(probe: probe.view, gallery: $0)?.likeness
          }.max()
          if likeness ?? 0 < 0.4 { undecided.append(score) }
        }
      }
    }
    // What owners would have if ridges were not asked, and what every second stranger reaches.
    let unheard = ScoreScale.score(likeness: 0.4, excess: -.infinity)
    let usual = strangers.sorted()[strangers.count / 2]
    #expect(undecided.count >= 3)
    #expect(undecided.allSatisfy { $0 > max(unheard, usual) }, "\(undecided), \(usual)")
  }
}

@Suite("Real prints", .enabled(if: RealPrints.areThere, "needs AUTHCORE_SHARED"))
struct RealPrintsTests {
  @Test(
    "E2: enrolled from impressions 1 to 5, fingers are recognized by 6 to 8 and no other is",
    arguments: [("DB1_B", 500), ("DB2_B", 569), ("DB3_B", 500), ("DB4_B", 500)])
  func acceptance(set: String, pixelsPerInch: Int) throws {
    var fingers: [FingerTemplate] = []
    var probes: [(finger: Int, features: PrintFeatures)] = []
    for finger in 0..<10 {
      var enrollment = Enrollment()
      for impression in 1...8 {
        let features = try RealPrints.features(
          set, 101 + finger, impression, pixelsPerInch: pixelsPerInch)
        if impression <= 5 {
          _ = enrollment.add(features)
        } else {
          probes.append((finger, features))
        }
      }
      #expect(enrollment.usableTouches >= Enrollment.minimumTouches)
      fingers.append(try #require(enrollment.template()))
    }
    var (accepted, falselyAccepted) = (0, 0)
    for probe in probes {
      for (finger, template) in fingers.enumerated() {
        let score = PrintMatcher().score(probe: probe.features, against: template)
        guard score >= PrintMatcher.threshold else { continue }
        if finger == probe.finger { accepted += 1 } else { falselyAccepted += 1 }
      }
    }
    #expect(accepted >= 28)
    #expect(falselyAccepted == 0)
  }
}

@Suite("The rate at which strangers may pass")
struct MatchRateTests {
  @Test("a relaxed rate is for small sensors alone, and the strict one is for all others")
  func sizes() {
    #expect(MatchRate.relaxed(forFrameOf: 19.98) == .relaxedVerySmall)
    #expect(MatchRate.relaxed(forFrameOf: 26.1) == .relaxedSmall)
    #expect(MatchRate.relaxed(forFrameOf: 42.3) == .relaxedSmall)
    #expect(MatchRate.relaxed(forFrameOf: 45.1) == .strict)
    #expect(MatchRate.relaxed(forFrameOf: .infinity) == .strict)
    #expect(MatchRate.allCases.map(\.isRelaxed) == [false, true, true])
  }

  @Test(
    "five touches pass once in 10,000 times at most, over all fingers, and no rate is stricter than strict"
  )
  func bound() {
    for rate in MatchRate.allCases {
      for fingers in 1...5 {
        let threshold = rate.threshold(fingers: fingers)
        #expect(threshold <= PrintMatcher.threshold)
        #expect(5 * Double(fingers) * exp(-threshold) <= 1 / 10_000)
        #expect(threshold >= rate.threshold(fingers: max(fingers - 1, 1)))
      }
      #expect(rate.threshold(fingers: 0) == rate.threshold(fingers: 1))
    }
    #expect(MatchRate.strict.threshold(fingers: 1) == PrintMatcher.threshold)
    #expect(MatchRate.relaxedSmall.threshold(fingers: 5) < PrintMatcher.threshold)
  }

  @Test("E5: what agreement alone scores opens nothing at any rate")
  func agreement() {
    let score = TouchScore(sure: 3, likely: .infinity).score
    #expect(score > 3)
    for rate in MatchRate.allCases {
      for fingers in 1...5 { #expect(score < rate.threshold(fingers: fingers)) }
    }
  }

  @Test("the smaller sensor is never the less strict one")
  func smallerIsStricter() {
    for fingers in 1...5 {
      #expect(
        MatchRate.relaxedVerySmall.threshold(fingers: fingers)
          >= MatchRate.relaxedSmall.threshold(fingers: fingers))
    }
  }
}
