/// How far apart the ridges lie at each point of a finger: the period of ridge and valley.
///
/// About 9 pixels at 500 ppi, differing from finger to finger and place to place; wider above the
/// northernmost loop and below the southernmost delta (Cappelli, "Synthetic Fingerprint
/// Generation", in Handbook of Fingerprint Recognition, §6.4).
struct RidgeSpacing: Sendable {
  /// Periods, in pixels, that every place of every finger keeps to.
  static let range = 7.0...12.0

  /// The period in pixels at each point of the coarse grid.
  let periods: ScalarField

  init(flow: OrientationModel, from random: inout RandomStream) {
    let width = FingerCanvas.coarseWidth
    let height = FingerCanvas.coarseHeight
    let base = random.uniform(in: 8.1...9.7)
    let widening = random.uniform(in: 0.05...0.16)
    let broad = ScalarField(noiseOfWidth: width, height: height, spacing: 48, from: &random)
    let local = ScalarField(noiseOfWidth: width, height: height, spacing: 18, from: &random)
    let core = flow.core
    var periods = ScalarField(width: width, height: height)
    for row in 0..<height {
      let y = FingerCanvas.centered(coarseX: 0, coarseY: row).y
      let beyond =
        0.6 * Trigonometry.smoothStep(y, from: core.top, to: core.top + 90)
        + Trigonometry.smoothStep(-y, from: -core.bottom - 20, to: -core.bottom + 60)
      for column in 0..<width {
        let uneven = 0.1 * broad[x: column, y: row] + 0.07 * local[x: column, y: row]
        let period = base * (1 + widening * beyond + Double(uneven))
        periods[x: column, y: row] = Float(
          min(max(period, Self.range.lowerBound), Self.range.upperBound))
      }
    }
    self.periods = periods
  }
}
