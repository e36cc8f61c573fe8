extension StripeMovement {
  /// Difference of a pair, relative to pixels drawn by chance, from which on the pair does not fit.
  static let unusable = 0.8

  /// What this movement says about the swipe. `isHighEnough`: the image has the height the driver
  /// asked for.
  func report(
    on stripes: StripeSeries, isHighEnough: Bool, placement: StripePlacement
  ) -> SwipeReport {
    // Pair i is stripes i and i + 1. What is left out says nothing but that the finger stood.
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
    // A slow swipe stretches the exact image, and is none the worse for the robust one.
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

  /// Whether a pair with this relative difference, this far along, fits nowhere. Of many places
  /// near the edge, where a few rows decide, some one always looks good.
  static func fitsNowhere(_ relative: Double, along rows: Int, of height: Int) -> Bool {
    relative >= unusable || 4 * abs(rows) > 3 * height
  }

  /// The difference of each pair per pixel, relative to the contrast of the swipe, at most 1.
  private func relativeDifferences(of stripes: StripeSeries) -> [Double] {
    let contrast = stripes.contrast
    return differences.map { Self.relative($0, to: contrast, of: stripes) }
  }

  static func relative(_ difference: Int, to contrast: Double, of stripes: StripeSeries) -> Double {
    contrast > 0 ? min(1, Double(difference) / Double(stripes.area) / contrast) : 1
  }

  /// For each pair, whether it fits better without movement, or moved by one row, than as it was
  /// placed.
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
