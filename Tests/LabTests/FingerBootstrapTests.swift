import SyntheticPrints
import Testing

@testable import authcore_bench

@Suite("Intervals by resampling fingers")
struct FingerBootstrapTests {
  /// Every finger with itself and with each other one; `score` of each two.
  private func list(fingers: Int, _ score: (Int, Int) -> Double) throws -> ScoreList {
    var comparisons: [ComparisonScore] = []
    for a in 0..<fingers {
      for b in 0..<fingers {
        comparisons.append(
          ComparisonScore(
            probeFinger: a, galleryFinger: b, isGenuine: a == b, score: score(a, b)))
      }
    }
    return try #require(
      ScoreList(fingers: (0..<fingers).map(String.init), comparisons: comparisons))
  }

  @Test("where no finger ever errs the interval is nothing but 0")
  func faultless() throws {
    let scores = try list(fingers: 6) { $0 == $1 ? 10 : 1 }
    let bootstrap = FingerBootstrap(scores, fmrLimits: [0, 0.1], rounds: 50)
    #expect(bootstrap.equalErrorRate == 0...0)
    #expect(bootstrap.falseNonMatchRate(atLimit: 0) == 0...0)
    #expect(bootstrap.falseNonMatchRate(atLimit: 1) == 0...0)
  }

  @Test("two of ten fingers that never match: the interval is that of drawing them 0 to 5 times")
  func failingFingers() throws {
    let scores = try list(fingers: 10) { a, b in a != b ? 1 : a < 2 ? 0 : 10 }
    let bootstrap = FingerBootstrap(scores, fmrLimits: [0], rounds: 4000)
    // Binomial(10, 0.2): 0 with 10.7 %, more than 4 with 3.3 %, more than 5 with 0.6 %.
    #expect(bootstrap.falseNonMatchRate(atLimit: 0) == 0...0.5)
  }

  @Test("a mean over sets draws the fingers of each: half of what one faulty set of two has")
  func meanOfSets() throws {
    let faultless = try list(fingers: 10) { $0 == $1 ? 10 : 1 }
    let faulty = try list(fingers: 10) { a, b in a != b ? 1 : a < 2 ? 0 : 10 }
    let bootstrap = FingerBootstrap(meanOf: [faultless, faulty], fmrLimits: [0], rounds: 4000)
    #expect(bootstrap.falseNonMatchRate(atLimit: 0) == 0...0.25)
    #expect(bootstrap.equalErrorRate?.lowerBound == 0)
  }

  @Test("limits may come in any order, and a looser one never has more misses")
  func order() throws {
    var numbers = RandomNumbers(seed: 7)
    let scores = try list(fingers: 12) {
      Double.random(in: 0..<1, using: &numbers) + ($0 == $1 ? 0.5 : 0)
    }
    let rising = FingerBootstrap(scores, fmrLimits: [0, 0.05, 0.3], rounds: 100)
    let falling = FingerBootstrap(scores, fmrLimits: [0.3, 0.05, 0], rounds: 100)
    for index in 0..<3 {
      #expect(
        rising.falseNonMatchRate(atLimit: index) == falling.falseNonMatchRate(atLimit: 2 - index))
    }
    let (tight, loose) = (
      rising.falseNonMatchRate(atLimit: 0), rising.falseNonMatchRate(atLimit: 2)
    )
    #expect(try #require(tight).upperBound >= #require(loose).upperBound)
    #expect(try #require(loose).lowerBound < #require(tight).lowerBound)
  }

  @Test("the same seed gives the same interval, another seed another")
  func deterministic() throws {
    let scores = try list(fingers: 9) { a, b in Double((a * 7 + b * 5) % 11) + (a == b ? 4 : 0) }
    func interval(_ seed: UInt64) -> ClosedRange<Double>? {
      FingerBootstrap(scores, fmrLimits: [], rounds: 60, seed: seed).equalErrorRate
    }
    #expect(interval(1) == interval(1))
    #expect(interval(1) != interval(2))
  }
}
