/// How often a matcher errs at every threshold: its detection error trade-off.
///
/// A comparison is accepted if its score is the threshold or more. The false match rate (FMR) is
/// the share of impostor comparisons accepted, the false non-match rate (FNMR) that of genuine
/// comparisons not accepted (ISO/IEC 19795-1; Mansfield and Wayman, "Best practices in testing and
/// reporting performance of biometric devices", 2002, section 7). Rates are shares, 0...1.
struct ErrorCurve: Sendable {
  struct Point: Hashable, Sendable {
    /// Infinity accepts nothing.
    let threshold: Double
    let falseMatches: Int
    let falseNonMatches: Int
    let fmr: Double
    let fnmr: Double
  }

  let genuineCount: Int
  let impostorCount: Int
  /// Comparisons that could not be made.
  let failures: Int
  /// One point for each different score and one beyond all, thresholds rising: FMR falls, FNMR
  /// rises.
  let points: [Point]

  /// The curve of scores; minus infinity is accepted at no threshold. Neither list is empty or
  /// holds NaN.
  init(genuine: [Double], impostor: [Double]) {
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

  init(_ scores: ScoreList) { self.init(genuine: scores.genuine, impostor: scores.impostor) }

  /// The point where the two rates are closest; of equally close ones, that with the lowest
  /// threshold.
  var balance: Point {
    points.dropFirst().reduce(points[0]) { best, point in
      abs(point.fmr - point.fnmr) < abs(best.fmr - best.fnmr) ? point : best
    }
  }

  /// The equal error rate: the mean of both rates where they are closest, since the curves are
  /// steps (Maio et al., "FVC2000: Fingerprint Verification Competition", 2002, section 3).
  var equalErrorRate: Double {
    let balance = balance
    return (balance.fmr + balance.fnmr) / 2
  }

  /// The point with the fewest false non-matches among those whose FMR is at most `limit`.
  func point(fmrAtMost limit: Double) -> Point {
    // FMR falls along the points, so the first that is low enough has the lowest FNMR.
    var (low, high) = (0, points.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].fmr <= limit + ErrorRate.slack { high = middle } else { low = middle + 1 }
    }
    return points[low]
  }

  func point(threshold: Double) -> Point {
    points.first { $0.threshold >= threshold } ?? points[points.count - 1]
  }
}

enum ErrorRate: String, CaseIterable, Sendable {
  /// Where FMR and FNMR are equal.
  case eer = "EER"
  /// The lowest FNMR with an FMR of at most 1 in 100, and so on.
  case fmr100 = "FMR100"
  case fmr1000 = "FMR1000"
  case fmr10000 = "FMR10000"
  case fmr50000 = "FMR50000"
  /// The lowest FNMR at which no impostor is accepted.
  case zeroFMR = "zeroFMR"

  /// What rounding may add to a rate that is a quotient of whole numbers.
  static let slack = 1e-12

  /// Nil for the equal error rate.
  var fmrLimit: Double? {
    switch self {
    case .eer: nil
    case .fmr100: 1 / 100
    case .fmr1000: 1 / 1000
    case .fmr10000: 1 / 10_000
    case .fmr50000: 1 / 50_000
    case .zeroFMR: 0
    }
  }

  func point(on curve: ErrorCurve) -> ErrorCurve.Point {
    fmrLimit.map { curve.point(fmrAtMost: $0) } ?? curve.balance
  }

  func value(on curve: ErrorCurve) -> Double {
    fmrLimit.map { curve.point(fmrAtMost: $0).fnmr } ?? curve.equalErrorRate
  }

  /// Whether there are enough impostors for the figure to differ from ``zeroFMR``: at least one in
  /// `1 / fmrLimit`.
  func isOfItsOwn(impostors: Int) -> Bool {
    guard let limit = fmrLimit, limit > 0 else { return true }
    return Double(impostors) * limit >= 1 - Self.slack
  }
}

/// A part of a DET curve that is supported by enough errors throughout, or nowhere.
struct DETStretch: Hashable, Sendable {
  /// Both rates are above 0.
  struct Place: Hashable, Sendable {
    let fmr: Double
    let fnmr: Double
  }

  let isSupported: Bool
  /// The corners of a line of steps, FMR falling.
  let places: [Place]

  /// The curve in parts, each beginning where the one before ends. At each FMR it shows the lowest
  /// FNMR that does not exceed it, so each point holds from its own FMR up to that of the point
  /// before.
  ///
  /// - `leastErrors`: Errors of each kind that support a point.
  static func stretches(of curve: ErrorCurve, leastErrors: Int) -> [DETStretch] {
    var result: [DETStretch] = []
    var places: [Place] = []
    var isSupported = false
    for (before, point) in zip(curve.points, curve.points.dropFirst()) {
      guard point.falseNonMatches > 0, before.falseMatches > 0 else { continue }
      let supported = min(point.falseMatches, point.falseNonMatches) >= leastErrors
      let start = Place(fmr: before.fmr, fnmr: point.fnmr)
      if supported != isSupported, !places.isEmpty {
        result.append(DETStretch(isSupported: isSupported, places: places))
        places = places.suffix(1)
      }
      isSupported = supported
      places.append(start)
      if point.falseMatches > 0 { places.append(Place(fmr: point.fmr, fnmr: point.fnmr)) }
    }
    if places.count > 1 { result.append(DETStretch(isSupported: isSupported, places: places)) }
    return result
  }

  /// Where the curve ends because beyond there were no false non-matches, or no false matches.
  static func ends(of curve: ErrorCurve) -> [Place] {
    let parts = stretches(of: curve, leastErrors: 0)
    return [parts.first?.places.first, parts.last?.places.last].compactMap { $0 }
      .filter { $0.fmr < 1 && $0.fnmr < 1 }
  }
}
