/// How the stripes of a swipe lie to each other.
struct StripeMovement: Equatable, Sendable {
  /// For each stripe, how far it lies from the one before; (0, 0) for the first.
  var shifts: [StripeSeries.Shift]
  /// For each pair of neighbors, the difference of the best shift.
  var differences: [Int]
  /// The stripes that are not painted, because the finger had not moved since the last one that is.
  var isLeftOut: [Bool]

  /// Whether the sum of `shifts` points up: the finger moved the other way.
  var isReverse: Bool { shifts.reduce(0) { $0 + $1.y } < 0 }

  /// The movement by libfprint's rule: every pair is searched in both directions from 2 rows on,
  /// and the direction with the smaller mean difference holds for the whole swipe.
  ///
  /// - Throws: ``AssemblyError/tooMuchWork(_:limit:)``.
  init(of stripes: StripeSeries) throws(AssemblyError) {
    try StripeMovement.checkWork(of: stripes)
    let forward = StripeMovement(of: stripes, sign: 1)
    let backward = StripeMovement(of: stripes, sign: -1)
    let isForward = forward.meanDifference < backward.meanDifference
    self = isForward ? forward : backward
  }

  private init(of stripes: StripeSeries, sign: Int) {
    shifts = [StripeSeries.Shift(x: 0, y: 0)]
    differences = []
    isLeftOut = Array(repeating: false, count: stripes.count)
    guard stripes.height > 2 else {
      // No shift from 2 rows on overlaps: all stripes lie where the first does.
      shifts = Array(repeating: StripeSeries.Shift(x: 0, y: 0), count: stripes.count)
      differences = Array(repeating: 255 * stripes.area, count: stripes.count - 1)
      return
    }
    for index in 1..<max(stripes.count, 1) {
      let (first, second) = sign > 0 ? (index, index - 1) : (index - 1, index)
      let best = stripes.bestShift(first, second, rows: 2...stripes.height - 1)
      shifts.append(StripeSeries.Shift(x: sign * best.shift.x, y: sign * best.shift.y))
      differences.append(best.difference)
    }
  }

  /// As libfprint computes it: over the number of stripes, not of pairs.
  var meanDifference: Int { differences.reduce(0, +) / max(shifts.count, 1) }

  /// Refuses what would take too long: both passes compare 16 shifts for each row, half of a stripe
  /// on average, and the report looks at two rows more. A row costs as much as 64 pixels besides
  /// its own.
  private static func checkWork(of stripes: StripeSeries) throws(AssemblyError) {
    // At most 4100 · 16 · 4096 · 4160 · 4096.
    let work =
      16 * (stripes.height + 4) * stripes.height * (stripes.width + 64) * (stripes.count - 1)
    guard work <= AssemblyLimits.work else {
      throw .tooMuchWork(work, limit: AssemblyLimits.work)
    }
  }
}
