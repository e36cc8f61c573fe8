import Testing

@testable import authcore_bench

/// Five genuine and ten impostor scores, small enough to count by hand:
///
///     threshold   -inf..1  2    3    4    5    6    7    8    9   +inf
///     accepted      10     8    6    4    3    2    1    0    0     0    of 10 impostors
///     rejected       0     0    0    1    1    1    2    2    4     5    of  5 genuine
private let genuine: [Double] = [3, 6, 8, 8, 9]
private let impostor: [Double] = [1, 1, 2, 2, 3, 3, 4, 5, 6, 7]

@Suite("Error rates")
struct ErrorCurveTests {
  private let curve = ErrorCurve(genuine: genuine, impostor: impostor)

  @Test("every threshold has the rates counted by hand")
  func counts() {
    #expect(curve.points.map(\.threshold) == [1, 2, 3, 4, 5, 6, 7, 8, 9, .infinity])
    #expect(curve.points.map(\.falseMatches) == [10, 8, 6, 4, 3, 2, 1, 0, 0, 0])
    #expect(curve.points.map(\.falseNonMatches) == [0, 0, 0, 1, 1, 1, 2, 2, 4, 5])
    #expect(curve.points.first?.fmr == 1 && curve.points.last?.fnmr == 1)
  }

  @Test("the equal error rate is the mean of both rates where they are closest")
  func equalErrorRate() {
    #expect(curve.balance.threshold == 6)
    #expect(abs(curve.equalErrorRate - 0.2) < 1e-12)
  }

  @Test("where the curves jump across each other the equal error rate is halfway")
  func jump() {
    let curve = ErrorCurve(genuine: [1, 2, 2, 2], impostor: [0, 0, 0, 2])
    // Accepting from 2: one of four impostors, three of four genuine. From 1: all genuine.
    #expect(curve.balance.threshold == 2)
    #expect(curve.equalErrorRate == 0.25)
    let apart = ErrorCurve(genuine: [1, 1, 2, 3], impostor: [0, 0, 0, 1])
    #expect(apart.balance.threshold == 1)
    #expect(apart.equalErrorRate == 0.125)
  }

  @Test(
    "an operating point is the lowest FNMR whose FMR does not exceed the limit",
    arguments: [(0.0, 0.4, 8.0), (0.1, 0.4, 7.0), (0.2, 0.2, 6.0), (0.59, 0.2, 4.0), (1, 0, 1)])
  func operatingPoint(limit: Double, fnmr: Double, threshold: Double) {
    let point = curve.point(fmrAtMost: limit)
    #expect(point.fnmr == fnmr)
    #expect(point.threshold == threshold)
  }

  @Test("comparisons that could not be made are accepted at no threshold")
  func failures() {
    let curve = ErrorCurve(
      genuine: [-.infinity, 1, 1, 1], impostor: [-.infinity, -.infinity, 0, 0])
    #expect(curve.failures == 3)
    #expect(curve.points[0].fmr == 0.5 && curve.points[0].fnmr == 0.25)
    #expect(ErrorRate.zeroFMR.value(on: curve) == 0.25)
  }

  @Test("a fixed threshold between two scores counts what is at or above it")
  func fixedThreshold() {
    let point = curve.point(threshold: 6.5)
    #expect(point.falseMatches == 1 && point.falseNonMatches == 2)
    #expect(curve.point(threshold: 99).falseNonMatches == 5)
  }

  @Test("a drawn curve is one line of steps in parts, each supported throughout or nowhere")
  func stretches() throws {
    let parts = DETStretch.stretches(of: curve, leastErrors: 2)
    // Between 4 (four false matches, one false non-match) and 7 (one and two) there are never two
    // of both; the line goes from the FMR of 3, before the first false non-match, to that of 7.
    #expect(parts.map(\.isSupported) == [false])
    #expect(DETStretch.stretches(of: curve, leastErrors: 1).map(\.isSupported) == [true, false])
    for part in parts {
      for (a, b) in zip(part.places, part.places.dropFirst()) {
        #expect(a.fmr == b.fmr || a.fnmr == b.fnmr)
        #expect(a.fmr >= b.fmr && a.fnmr <= b.fnmr)
      }
    }
  }

  @Test("a drawn curve ends at the last errors that were seen")
  func ends() {
    let ends = DETStretch.ends(of: curve)
    #expect(ends.map { Int(($0.fmr * 10).rounded()) } == [6, 1])
    #expect(ends.map { Int(($0.fnmr * 5).rounded()) } == [1, 2])
  }

  @Test("a rate of 1 in N needs N impostors to be of its own")
  func resolution() {
    #expect(ErrorRate.fmr100.isOfItsOwn(impostors: 100))
    #expect(!ErrorRate.fmr100.isOfItsOwn(impostors: 99))
    #expect(ErrorRate.zeroFMR.isOfItsOwn(impostors: 1))
  }
}

@Suite("Exact intervals")
struct ExactIntervalTests {
  @Test(
    "they are the quantiles of beta distributions, few events or many",
    arguments: [
      (0, 10, 0, 0.308_497_1), (1, 10, 0.002_528_6, 0.445_016_1),
      (5, 10, 0.187_086_0, 0.812_914_0), (10, 10, 0.691_502_9, 1),
      (3, 42_840, 0.000_014_4, 0.000_204_6), (72, 1120, 0.050_636_0, 0.080_275_4),
      (900, 1000, 0.879_712_1, 0.917_894_7),
    ])
  func bounds(events: Int, trials: Int, lower: Double, upper: Double) {
    let interval = ExactInterval(events: events, of: trials)
    #expect(abs(interval.lowerBound - lower) < 6e-8)
    #expect(abs(interval.upperBound - upper) < 6e-8)
  }

  @Test("where nothing happened the rate is under three in so many trials")
  func ruleOfThree() {
    #expect(ExactInterval.ruleOfThree(trials: 300) == 0.01)
    #expect(ExactInterval.ruleOfThree(trials: 2) == 1)
  }

  @Test("widening takes the farther bound on each side")
  func widening() {
    let interval = ExactInterval(events: 1, of: 10)
    #expect(interval.widening(0.1...0.2) == interval.lowerBound...interval.upperBound)
    #expect(interval.widening(0...0.9) == 0...0.9)
  }
}

@Suite("Rank correlation")
struct RankCorrelationTests {
  private typealias Pair = RankCorrelation.Pair

  @Test("one order gives 1 and the opposite -1, however the values are spaced")
  func orders() {
    let rising = [Pair(1, -4), Pair(2, 0), Pair(3, 1000)]
    #expect(RankCorrelation([rising]).coefficient == 1)
    #expect(RankCorrelation([rising.map { Pair($0.x, -$0.y) }]).coefficient == -1)
  }

  @Test("equal values share the mean of their ranks")
  func ties() throws {
    let pairs = [Pair(1, 2), Pair(2, 1), Pair(2, 4), Pair(3, 4), Pair(5, 4), Pair(8, 9)]
    // Ranks 1, 2.5, 2.5, 4, 5, 6 and 2, 1, 4, 4, 4, 6: 13.5 / sqrt(17 · 15.5) with means of 3.5.
    let value = try #require(RankCorrelation([pairs]).coefficient)
    #expect(abs(value - 0.800_853_4) < 1e-7)
  }

  @Test("values that are all the same are in no order")
  func constant() {
    #expect(RankCorrelation([[Pair(1, 1), Pair(2, 1)]]).coefficient == nil)
    #expect(RankCorrelation([]).coefficient == nil)
  }

  @Test("the interval comes from drawing groups, and holds the figure of all of them")
  func interval() throws {
    let groups = (0..<8).map { group -> [Pair] in
      (0..<5).map { number -> Pair in
        let other = number * (group + 2) % 7
        return Pair(Double(number), Double(other))
      }
    }
    let correlation = RankCorrelation(groups, rounds: 200)
    let (value, interval) = (try #require(correlation.coefficient), correlation.interval)
    #expect(try #require(interval).contains(value))
    #expect(RankCorrelation(groups, rounds: 200).interval == interval)
    #expect(RankCorrelation(groups).interval == nil)
  }
}
