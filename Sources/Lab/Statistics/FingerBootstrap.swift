import SyntheticPrints

/// How far error rates may be off because these fingers were measured and not others.
///
/// Comparisons that share a finger are not independent, so fingers are drawn with replacement, as
/// many as there are. A comparison counts as often as both its fingers were drawn, a genuine one as
/// often as its one finger (Bolle, Ratha and Pankanti, "Error analysis of pattern recognition
/// systems: the subsets bootstrap", 2004). The interval of a figure is that between the 2.5th and
/// 97.5th percentiles over the rounds.
struct FingerBootstrap: Sendable {
  /// The equal error rate of each round, rising.
  private var equalErrorRates: [Double] = []
  /// For each limit: the lowest FNMR at it, of each round, rising.
  private var falseNonMatchRates: [[Double]]

  /// See ``init(meanOf:fmrLimits:rounds:seed:)``.
  init(_ scores: ScoreList, fmrLimits: [Double], rounds: Int, seed: UInt64 = 1) {
    self.init(meanOf: [scores], fmrLimits: fmrLimits, rounds: rounds, seed: seed)
  }

  /// Draws the rounds of means over several sets that share no finger; fingers are drawn within
  /// their set. The FNMRs are those at `fmrLimits`, in each set at its own threshold.
  ///
  /// - Complexity: Linear in the comparisons, times `rounds`.
  init(meanOf sets: [ScoreList], fmrLimits: [Double], rounds: Int, seed: UInt64 = 1) {
    precondition(rounds > 0 && !sets.isEmpty, "a bootstrap needs a round and a set")
    falseNonMatchRates = Array(repeating: [], count: fmrLimits.count)
    let sorted = sets.map { $0.comparisons.sorted { $0.score > $1.score } }
    let order = fmrLimits.indices.sorted { fmrLimits[$0] < fmrLimits[$1] }
    var numbers = RandomNumbers(seed: seed)
    for _ in 0..<rounds {
      let figures = sets.indices.compactMap { set in
        var drawn = [Int](repeating: 0, count: sets[set].fingers.count)
        for _ in drawn.indices { drawn[Int.random(in: drawn.indices, using: &numbers)] += 1 }
        return Self.round(sorted[set], drawn, fmrLimits, order)
      }
      guard figures.count == sets.count else { continue }
      let share = 1 / Double(sets.count)
      equalErrorRates.append(figures.reduce(0) { $0 + $1.equalErrorRate * share })
      for limit in fmrLimits.indices {
        falseNonMatchRates[limit].append(figures.reduce(0) { $0 + $1.rates[limit] * share })
      }
    }
    equalErrorRates.sort()
    for limit in fmrLimits.indices { falseNonMatchRates[limit].sort() }
  }

  /// Of 95 % of the rounds; nil if no round had both kinds of comparisons.
  var equalErrorRate: ClosedRange<Double>? { Self.interval(equalErrorRates) }

  /// The same for the FNMR at the limit with this index.
  func falseNonMatchRate(atLimit index: Int) -> ClosedRange<Double>? {
    Self.interval(falseNonMatchRates[index])
  }

  /// One round: the figures with each comparison weighted by how often its fingers were drawn.
  private static func round(
    _ sorted: [ComparisonScore], _ drawn: [Int], _ limits: [Double], _ order: [Int]
  ) -> (equalErrorRate: Double, rates: [Double])? {
    var (genuine, impostor) = (0, 0)
    for comparison in sorted {
      let times = drawn[comparison.probeFinger]
      if comparison.isGenuine {
        genuine += times
      } else {
        impostor += times * drawn[comparison.galleryFinger]
      }
    }
    guard genuine > 0, impostor > 0 else { return nil }
    var (matched, accepted) = (0, 0)
    var nearest = (distance: 1.0, rate: 0.5)
    var rates = [Double](repeating: 1, count: limits.count)
    // Limits before this one in `order` are exceeded and have their rate.
    var open = 0
    var lowest = 1.0
    for (index, comparison) in sorted.enumerated() {
      guard comparison.score > -.infinity else { break }
      let times = drawn[comparison.probeFinger]
      if comparison.isGenuine {
        matched += times
      } else {
        accepted += times * drawn[comparison.galleryFinger]
      }
      // A threshold lies only between comparisons of different score.
      if index + 1 < sorted.count, sorted[index + 1].score == comparison.score { continue }
      let fnmr = 1 - Double(matched) / Double(genuine)
      let fmr = Double(accepted) / Double(impostor)
      // The FNMR falls all the way, so the one before a limit is exceeded is its lowest.
      while open < order.count, fmr > limits[order[open]] + ErrorRate.slack {
        rates[order[open]] = lowest
        open += 1
      }
      lowest = fnmr
      if abs(fmr - fnmr) < nearest.distance {
        nearest = (abs(fmr - fnmr), (fmr + fnmr) / 2)
      }
    }
    for limit in order[open...] { rates[limit] = lowest }
    return (nearest.rate, rates)
  }

  /// The 2.5th and 97.5th percentiles of rising values, with straight lines between them.
  static func interval(_ values: [Double]) -> ClosedRange<Double>? {
    guard let last = values.last else { return nil }
    func percentile(_ share: Double) -> Double {
      let place = share * Double(values.count - 1)
      let index = Int(place)
      let next = index + 1 < values.count ? values[index + 1] : last
      return values[index] + (place - Double(index)) * (next - values[index])
    }
    return percentile(0.025)...percentile(0.975)
  }
}
