import Testing

@testable import authcore_bench

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
