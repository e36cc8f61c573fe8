import Testing

@testable import authcore_bench

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
