/// How often a matcher errs at every threshold: its detection error trade-off.
///
/// A comparison is accepted where its score is the threshold or more. The false match rate (FMR) is
/// the share of impostor comparisons accepted, the false non-match rate (FNMR) that of genuine
/// comparisons not accepted (ISO/IEC 19795-1; Mansfield and Wayman, "Best practices in testing and
/// reporting performance of biometric devices", 2002, section 7). Rates are shares, 0...1.
package struct ErrorCurve: Sendable {
  /// What happens at one threshold.
  package struct Point: Hashable, Sendable {
    /// Infinity accepts nothing.
    package let threshold: Double
    package let falseMatches: Int
    package let falseNonMatches: Int
    /// False match rate.
    package let fmr: Double
    /// False non-match rate.
    package let fnmr: Double
  }

  package let genuineCount: Int
  package let impostorCount: Int
  /// Comparisons that could not be made.
  package let failures: Int
  /// One point for each different score and one beyond all, thresholds rising: FMR falls, FNMR
  /// rises.
  package let points: [Point]

  /// The curve of scores; minus infinity is accepted at no threshold.
  ///
  /// - Parameters:
  ///   - genuine: Scores of comparisons of a finger with itself; not empty, none NaN.
  ///   - impostor: Scores of comparisons of different fingers; not empty, none NaN.
  package init(genuine: [Double], impostor: [Double]) {
    precondition(!genuine.isEmpty && !impostor.isEmpty, "an error curve needs both kinds of scores")
    genuineCount = genuine.count
    impostorCount = impostor.count
    let genuine = genuine.sorted()
    let impostor = impostor.sorted()
    var (below, out) = (0, 0)
    while below < genuine.count, genuine[below] == -.infinity { below += 1 }
    while out < impostor.count, impostor[out] == -.infinity { out += 1 }
    failures = below + out
    var points: [Point] = []
    func add(_ threshold: Double) {
      points.append(
        Point(
          threshold: threshold, falseMatches: impostor.count - out, falseNonMatches: below,
          fmr: 1 - Double(out) / Double(impostor.count),
          fnmr: Double(below) / Double(genuine.count)))
    }
    while below < genuine.count || out < impostor.count {
      let threshold = min(
        below < genuine.count ? genuine[below] : .infinity,
        out < impostor.count ? impostor[out] : .infinity)
      add(threshold)
      while below < genuine.count, genuine[below] == threshold { below += 1 }
      while out < impostor.count, impostor[out] == threshold { out += 1 }
    }
    add(.infinity)
    self.points = points
  }

  package init(_ scores: ScoreList) {
    self.init(genuine: scores.genuine, impostor: scores.impostor)
  }

  /// The point where the two rates are closest, of equally close ones that with the lowest
  /// threshold.
  package var balance: Point {
    points.dropFirst().reduce(points[0]) { best, point in
      abs(point.fmr - point.fnmr) < abs(best.fmr - best.fnmr) ? point : best
    }
  }

  /// The equal error rate: the mean of both rates where they are closest, since the curves are
  /// steps (Maio et al., "FVC2000: Fingerprint Verification Competition", 2002, section 3).
  package var equalErrorRate: Double {
    let balance = balance
    return (balance.fmr + balance.fnmr) / 2
  }

  /// The point with the fewest false non-matches among those whose FMR is at most `limit`.
  package func point(fmrAtMost limit: Double) -> Point {
    // FMR falls along the points, so that the first one that is low enough has the lowest FNMR.
    var (low, high) = (0, points.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].fmr <= limit + ErrorRate.slack { high = middle } else { low = middle + 1 }
    }
    return points[low]
  }

  /// The rates at a fixed threshold.
  package func point(threshold: Double) -> Point {
    points.first { $0.threshold >= threshold } ?? points[points.count - 1]
  }
}
