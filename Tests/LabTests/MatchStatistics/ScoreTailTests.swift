import Testing

@testable import authcore_bench

@Suite("The tail of strangers' scores")
struct ScoreTailTests {
  private func tail(_ scores: [Double]) -> ScoreTail {
    var tail = ScoreTail()
    for score in scores { tail.add(score) }
    return tail
  }

  @Test("a threshold accepts the scores that reach it")
  func counts() {
    let tail = tail([-1000, -0.1, 0, 13.9, 14, 14.2, 1e9, .infinity])
    #expect(tail.comparisons == 8)
    #expect(tail.count(atLeast: 14) == 4)
    #expect(tail.count(atLeast: 13.5) == 5)
    #expect(tail.count(atLeast: -3) == 6)
    #expect(tail.count(atLeast: 1e12) == 2)
    #expect(tail.highest == .infinity)
  }

  @Test("two tails together count what both counted")
  func sum() {
    var both = tail([3, 15])
    both.add(tail([16]))
    #expect(both == tail([3, 15, 16]))
  }

  @Test("a tail is read back from its fields")
  func fields() throws {
    for tail in [tail([]), tail([1, 2, 14, 77])] {
      let text = tail.fields.joined(separator: ",")
      #expect(ScoreTail(fields: text.split(separator: ",")) == tail)
    }
  }

  @Test("fields that no tail gives are refused")
  func hostile() {
    let good = tail([1, 2]).fields.map { Substring($0) }
    #expect(ScoreTail(fields: good) != nil)
    #expect(ScoreTail(fields: Array(good.dropLast())) == nil)
    for (place, text) in [(0, "-1"), (0, "x"), (1, "nan"), (2, "-1"), (5, "3"), (5, "")] {
      var fields = good
      fields[place] = Substring(text)
      #expect(ScoreTail(fields: fields) == nil, "\(place) \(text)")
    }
  }
}
