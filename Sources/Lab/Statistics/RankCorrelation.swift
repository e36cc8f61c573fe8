import SyntheticPrints

/// How well one figure predicts the order of another (Spearman, "The proof and measurement of
/// association between two things", 1904): the correlation of their ranks; equal values share the
/// mean of their ranks.
struct RankCorrelation: Sendable {
  /// Two figures of one thing; neither is NaN.
  struct Pair: Hashable, Sendable {
    let x: Double
    let y: Double

    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  /// From -1 (opposite orders) over 0 to 1 (one order); nil if one of the figures is constant.
  let coefficient: Double?
  /// 95 % interval, by resampling groups.
  let interval: ClosedRange<Double>?

  /// - `groups`: The pairs; those of one group (all comparisons of a finger) are not independent.
  /// - `rounds`: How often groups are drawn with replacement; 0 for no interval.
  init(_ groups: [[Pair]], rounds: Int = 0, seed: UInt64 = 1) {
    coefficient = Self.coefficient(of: groups.flatMap { $0 })
    var numbers = RandomNumbers(seed: seed)
    var found: [Double] = []
    for _ in 0..<rounds {
      let drawn = groups.flatMap { _ in groups.randomElement(using: &numbers) ?? [] }
      if let value = Self.coefficient(of: drawn) { found.append(value) }
    }
    interval = FingerBootstrap.interval(found.sorted())
  }

  private static func coefficient(of pairs: [Pair]) -> Double? {
    let (x, y) = (ranks(pairs.map(\.x)), ranks(pairs.map(\.y)))
    // The mean of ranks, counted from 0.
    let mean = Double(pairs.count - 1) / 2
    var (both, first, second) = (0.0, 0.0, 0.0)
    for index in pairs.indices {
      let (dx, dy) = (x[index] - mean, y[index] - mean)
      both += dx * dy
      first += dx * dx
      second += dy * dy
    }
    guard first > 0, second > 0 else { return nil }
    return both / (first * second).squareRoot()
  }

  /// Each value's rank, counted from 0.
  private static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for place in order[start..<end] { ranks[place] = Double(start + end - 1) / 2 }
      start = end
    }
    return ranks
  }
}
