/// How the stripes of a swipe lie to each other.
struct StripeMovement: Equatable, Sendable {
  /// For each stripe, how far it lies from the one before; (0, 0) for the first.
  var shifts: [StripeSeries.Shift]
  /// For each pair of neighbors, the difference of the best shift.
  var differences: [Int]
  /// The stripes that are not painted because the finger had not moved since the last painted one.
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
  /// on average, and the report two rows more. A row costs 64 pixels besides its own.
  private static func checkWork(of stripes: StripeSeries) throws(AssemblyError) {
    // At most 4100 · 16 · 4096 · 4160 · 4096.
    let work =
      16 * (stripes.height + 4) * stripes.height * (stripes.width + 64) * (stripes.count - 1)
    guard work <= AssemblyLimits.work else { throw .tooMuchWork(work, limit: AssemblyLimits.work) }
  }

  /// The movement again, in its direction, with two rules of our own.
  ///
  /// A stripe less than 2 rows from the last kept one is left out, so a standing finger does not
  /// stretch the image. A stripe that fits nowhere moves by the median of those that fit.
  func steadied(for stripes: StripeSeries) -> StripeMovement {
    let sign = isReverse ? -1 : 1
    let contrast = stripes.contrast
    var result = self
    result.isLeftOut = Array(repeating: false, count: stripes.count)
    var isUnusable = Array(repeating: false, count: stripes.count)
    var kept = 0
    for index in 1..<max(stripes.count, 1) {
      let (first, second) = sign > 0 ? (index, kept) : (kept, index)
      let best = stripes.bestShift(first, second, rows: 0...stripes.height - 1)
      result.shifts[index] = StripeSeries.Shift(x: sign * best.shift.x, y: sign * best.shift.y)
      result.differences[index - 1] = best.difference
      isUnusable[index] = Self.fitsNowhere(
        Self.relative(best.difference, to: contrast, of: stripes), along: best.shift.y,
        of: stripes.height)
      if best.shift.y < 2 && !isUnusable[index] {
        result.shifts[index] = StripeSeries.Shift(x: 0, y: 0)
        result.isLeftOut[index] = true
      } else {
        kept = index
      }
    }
    let moving = result.shifts.indices.dropFirst().filter {
      !isUnusable[$0] && !result.isLeftOut[$0]
    }
    let steps = moving.map { result.shifts[$0].y }.sorted()
    let median = steps.isEmpty ? 0 : steps[steps.count / 2]
    for index in isUnusable.indices where isUnusable[index] {
      result.shifts[index] = StripeSeries.Shift(x: 0, y: median)
    }
    return result
  }

  /// Relative to pixels drawn by chance, the difference above which a pair does not fit.
  static let unusable = 0.8

  /// What this movement says about the swipe. `isHighEnough`: the image has the height the driver
  /// asked for.
  func report(
    on stripes: StripeSeries, isHighEnough: Bool, placement: StripePlacement
  ) -> SwipeReport {
    // Pair i is stripes i and i + 1. Stripes left out only say that the finger stood.
    let pairs = differences.indices.filter { !isLeftOut[$0 + 1] }
    let relative = relativeDifferences(of: stripes)
    let unusablePairs = pairs.count {
      Self.fitsNowhere(relative[$0], along: shifts[$0 + 1].y, of: stripes.height)
    }
    let standingPairs =
      switch placement {
      case .exact: standing(of: stripes).count { $0 }
      case .robust: differences.count - pairs.count
      }
    let along = abs(shifts.reduce(0) { $0 + $1.y })
    let sideways = abs(shifts.reduce(0) { $0 + $1.x })
    let slant = along > 0 ? Double(sideways) / Double(along) : 0
    // A slow swipe stretches the exact image and does not harm the robust one.
    let isStretched = placement == .exact || !isHighEnough

    let verdict: SwipeReport.Verdict =
      if isStretched && standingPairs * 4 > differences.count * 3 {
        .tooSlow
      } else if unusablePairs * 2 > pairs.count {
        .tooFast
      } else if !isHighEnough {
        .tooShort
      } else if slant >= 0.5 {
        .tooSkewed
      } else {
        .good
      }
    let agreement = 1 - pairs.reduce(0) { $0 + relative[$1] } / Double(max(pairs.count, 1))
    return SwipeReport(
      verdict: verdict, agreement: pairs.isEmpty ? 0 : agreement,
      evenness: SwipeReport.evenness(of: pairs.map { abs(shifts[$0 + 1].y) }),
      straightness: 1 - slant, pairs: pairs.count, unusablePairs: unusablePairs,
      standingPairs: standingPairs)
  }

  /// Whether a pair with this relative difference, this far along, fits nowhere. Near the edge a
  /// few rows decide, and one of many places always looks good.
  private static func fitsNowhere(_ relative: Double, along rows: Int, of height: Int) -> Bool {
    relative >= unusable || 4 * abs(rows) > 3 * height
  }

  /// The difference of each pair per pixel, relative to the contrast of the swipe, at most 1.
  private func relativeDifferences(of stripes: StripeSeries) -> [Double] {
    let contrast = stripes.contrast
    return differences.map { Self.relative($0, to: contrast, of: stripes) }
  }

  private static func relative(_ difference: Int, to contrast: Double, of stripes: StripeSeries)
    -> Double
  {
    contrast > 0 ? min(1, Double(difference) / Double(stripes.area) / contrast) : 1
  }

  /// For each pair, whether it fits better without movement, or moved by one row, than as placed.
  private func standing(of stripes: StripeSeries) -> [Bool] {
    let sign = isReverse ? -1 : 1
    return differences.indices.map { index in
      let (first, second) = sign > 0 ? (index + 1, index) : (index, index + 1)
      let rows = 0...min(1, stripes.height - 1)
      let still = stripes.bestShift(first, second, rows: rows)
      return still.difference < differences[index]
    }
  }
}
