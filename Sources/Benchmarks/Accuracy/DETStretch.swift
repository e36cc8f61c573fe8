import MatchStatistics

/// A part of a DET curve all of which is supported by errors enough, or none of which is.
struct DETStretch {
  struct Place: Hashable {
    let fmr: Double
    let fnmr: Double
  }

  let isSupported: Bool
  /// The corners of a line of steps, FMR falling; no rate is 0.
  let places: [Place]

  /// The curve in parts. At each FMR it shows the lowest FNMR that does not exceed it, so that each
  /// point holds from its own FMR up to that of the point before.
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
