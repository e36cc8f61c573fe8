extension StripeMovement {
  /// Difference of a pair, relative to pixels drawn by chance, from which on the pair does not fit.
  static let unusable = 0.8

  /// Whether a pair with this relative difference, this far along, fits nowhere. Of many places near the edge, where a
  /// few rows decide, some one always looks good.
  private func fitsNowhere(_ relative: Double, along rows: Int, of height: Int) -> Bool {
    relative >= Self.unusable || 4 * abs(rows) > 3 * height
  }

  /// What this movement says about the swipe. `isHighEnough`: the image has the height the driver asked for.
  func report(on stripes: StripeSeries, isHighEnough: Bool) -> SwipeReport {
    let relative = relativeDifferences(of: stripes)
    let isStanding = standing(of: stripes)
    let isUnusable = zip(relative, shifts.dropFirst()).map {
      fitsNowhere($0, along: $1.y, of: stripes.height)
    }
    let speeds = shifts.dropFirst().map { abs($0.y) }
    let along = abs(shifts.reduce(0) { $0 + $1.y })
    let sideways = abs(shifts.reduce(0) { $0 + $1.x })
    let slant = along > 0 ? Double(sideways) / Double(along) : 0
    let pairs = differences.count
    let unusablePairs = isUnusable.count { $0 }
    let standingPairs = isStanding.count { $0 }

    let verdict: SwipeReport.Verdict =
      if standingPairs * 4 > pairs * 3 {
        .tooSlow
      } else if unusablePairs * 2 > pairs {
        .tooFast
      } else if !isHighEnough {
        .tooShort
      } else if slant >= 0.5 {
        .tooSkewed
      } else {
        .good
      }
    let agreement = pairs > 0 ? 1 - relative.reduce(0, +) / Double(pairs) : 0
    return SwipeReport(
      verdict: verdict, agreement: agreement, evenness: SwipeReport.evenness(of: speeds),
      straightness: 1 - slant, pairs: pairs, unusablePairs: unusablePairs,
      standingPairs: standingPairs)
  }

  /// The difference of each pair per pixel, relative to the contrast of the swipe, at most 1.
  private func relativeDifferences(of stripes: StripeSeries) -> [Double] {
    let contrast = stripes.contrast
    return differences.map { difference in
      guard contrast > 0 else { return 1 }
      return min(1, Double(difference) / Double(stripes.area) / contrast)
    }
  }

  /// For each pair, whether it fits better without movement, or moved by one row, than as it was placed.
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
