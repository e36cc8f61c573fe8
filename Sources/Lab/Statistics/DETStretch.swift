/// A part of a DET curve all of which is supported by errors enough, or none of which is.
package struct DETStretch: Hashable, Sendable {
  /// A point of the curve; both rates are above 0.
  package struct Place: Hashable, Sendable {
    package let fmr: Double
    package let fnmr: Double
  }

  package let isSupported: Bool
  /// The corners of a line of steps, FMR falling; no rate is 0.
  package let places: [Place]

  /// The curve in parts. At each FMR it shows the lowest FNMR that does not exceed it, so that each
  /// point holds from its own FMR up to that of the point before.
  ///
  /// - Parameters:
  ///   - curve: The curve.
  ///   - leastErrors: Errors of each kind that support a point.
  /// - Returns: The parts in their order, each beginning where the one before ends.
  package static func stretches(of curve: ErrorCurve, leastErrors: Int) -> [DETStretch] {
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
  package static func ends(of curve: ErrorCurve) -> [Place] {
    let parts = stretches(of: curve, leastErrors: 0)
    return [parts.first?.places.first, parts.last?.places.last].compactMap { $0 }
      .filter { $0.fmr < 1 && $0.fnmr < 1 }
  }
}
