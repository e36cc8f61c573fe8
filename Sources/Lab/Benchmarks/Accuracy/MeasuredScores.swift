import Glibc

/// The scores of one matcher with everything that tables and charts show of them.
struct MeasuredScores {
  /// FMRs at which the charts' bands are known: sixteen a decade, from 0.001 % to 100 %.
  static let bandLimits: [Double] = (0...80).map { pow(10, -5 + Double($0) / 16) }

  /// What it is called in tables and charts.
  let label: String
  let curve: ErrorCurve
  /// 95 % intervals: on each side the wider of those by resampling fingers and, since few errors
  /// are resampled badly and no error not at all, by the number of false non-matches.
  let intervals: [ErrorRate: ClosedRange<Double>]
  /// 95 % intervals of the FNMR at each of ``bandLimits``.
  let band: [ClosedRange<Double>?]

  /// - Parameters:
  ///   - scores: What was measured.
  ///   - label: What it is called.
  ///   - rounds: How often fingers are resampled; 0 for no intervals.
  init(_ scores: ScoreList, label: String, rounds: Int) {
    self.label = label
    let curve = ErrorCurve(scores)
    self.curve = curve
    guard rounds > 0 else {
      intervals = [:]
      band = []
      return
    }
    let points = ErrorRate.allCases.filter { $0.fmrLimit != nil }
    let bootstrap = FingerBootstrap(
      scores, fmrLimits: points.compactMap(\.fmrLimit) + Self.bandLimits, rounds: rounds)
    var intervals: [ErrorRate: ClosedRange<Double>] = [:]
    let counted = ErrorRate.allCases.map { rate in
      let point = rate.fmrLimit.map { curve.point(fmrAtMost: $0) } ?? curve.balance
      return ExactInterval(events: point.falseNonMatches, of: curve.genuineCount)
    }
    for (rate, exact) in zip(ErrorRate.allCases, counted) {
      let resampled =
        points.firstIndex(of: rate).map { bootstrap.falseNonMatchRate(atLimit: $0) }
        ?? bootstrap.equalErrorRate
      intervals[rate] = resampled.map { exact.widening($0) }
    }
    self.intervals = intervals
    band = Self.bandLimits.indices.map { bootstrap.falseNonMatchRate(atLimit: points.count + $0) }
  }
}
