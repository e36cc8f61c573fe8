import Glibc
import Testing

@testable import FingerprintMatching

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

  @Test("the smaller sensor is never the less strict one")
  func smallerIsStricter() {
    for fingers in 1...5 {
      #expect(
        MatchRate.relaxedVerySmall.threshold(fingers: fingers)
          >= MatchRate.relaxedSmall.threshold(fingers: fingers))
    }
  }
}
