/// Grows ridges from scattered seeds by filtering them again and again, each place with the filter
/// of its own ridge direction and spacing, until nothing changes (Cappelli, Erol, Maio and Maltoni,
/// "Synthetic Fingerprint-image Generation", 2000). Minutiae arise where growing patches meet out
/// of step, and where ridges spread apart.
struct RidgeGrowth {
  private static let tileSide = 8
  /// Zeros around the grid, so that a filter may reach beyond its edge: the radius above and to the
  /// left, a whole vector below and to the right.
  private static let margin = GaborBank.rowLength
  private static let roundLimit = 32
  /// Smaller changes (of a ridge's height of 1) do not count.
  private static let settled: Float = 0.02

  private let filterOffsets: [Int]
  private let bank = GaborBank()
  private let stride = FingerCanvas.coarseWidth + 2 * margin
  private var grid: [Float]

  init(flow: OrientationModel, spacing: RidgeSpacing, from random: inout RandomStream) {
    let width = FingerCanvas.coarseWidth
    let height = FingerCanvas.coarseHeight
    let bends = ScalarField(noiseOfWidth: width, height: height, spacing: 40, from: &random)
    let waves = ScalarField(noiseOfWidth: width, height: height, spacing: 16, from: &random)
    var offsets: [Int] = []
    offsets.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let point = FingerCanvas.centered(coarseX: column, coarseY: row)
        let wander = 0.24 * bends[x: column, y: row] + 0.11 * waves[x: column, y: row]
        let angle = flow.angle(x: point.x, y: point.y) + Double(wander)
        let period = Double(spacing.periods[x: column, y: row])
        offsets.append(GaborBank.offset(period: period, angle: angle))
      }
    }
    filterOffsets = offsets
    grid = Array(repeating: 0, count: stride * (height + 2 * Self.margin))
  }

  /// The height of the skin on the canvas, about -1 (valley) to 1 (ridge).
  mutating func grow(from random: inout RandomStream) -> ScalarField {
    var active = plantSeeds(from: &random)
    var rounds = 0
    while rounds < Self.roundLimit, active.contains(true) {
      active = filterRound(active: active)
      rounds += 1
    }
    return evened(finished().doubled())
  }

  private var tileColumns: Int { FingerCanvas.coarseWidth / Self.tileSide }
  private var tileRows: Int { FingerCanvas.coarseHeight / Self.tileSide }

  private func gridIndex(column: Int, row: Int) -> Int {
    (row + Self.margin) * stride + column + Self.margin
  }

  /// Sets one point in each cell of a loose grid to ridge or valley. Returns the tiles they lie in.
  private mutating func plantSeeds(from random: inout RandomStream) -> [Bool] {
    var planted = Array(repeating: false, count: tileColumns * tileRows)
    let cell = 15
    for top in Swift.stride(from: 0, to: FingerCanvas.coarseHeight, by: cell) {
      for left in Swift.stride(from: 0, to: FingerCanvas.coarseWidth, by: cell) {
        let column = left + Int(random.uniform(in: 0...Double(cell)))
        let row = top + Int(random.uniform(in: 0...Double(cell)))
        let value: Float = random.uniform(in: -1...1) < 0 ? -1 : 1
        guard column < FingerCanvas.coarseWidth, row < FingerCanvas.coarseHeight else { continue }
        grid[gridIndex(column: column, row: row)] = value
        planted[row / Self.tileSide * tileColumns + column / Self.tileSide] = true
      }
    }
    return planted
  }

  /// Filters every tile next to a tile of `active`. Returns the tiles that changed.
  private mutating func filterRound(active: [Bool]) -> [Bool] {
    var changed = Array(repeating: false, count: active.count)
    var next = grid
    for tileRow in 0..<tileRows {
      for tileColumn in 0..<tileColumns
      where isNearActive(active, tileColumn: tileColumn, tileRow: tileRow) {
        let change = filterTile(column: tileColumn, row: tileRow, into: &next)
        changed[tileRow * tileColumns + tileColumn] = change > Self.settled
      }
    }
    grid = next
    return changed
  }

  private func isNearActive(_ active: [Bool], tileColumn: Int, tileRow: Int) -> Bool {
    for row in max(tileRow - 1, 0)...min(tileRow + 1, tileRows - 1) {
      for column in max(tileColumn - 1, 0)...min(tileColumn + 1, tileColumns - 1)
      where active[row * tileColumns + column] {
        return true
      }
    }
    return false
  }

  /// Returns the greatest change of a value.
  private func filterTile(column: Int, row: Int, into next: inout [Float]) -> Float {
    var change: Float = 0
    for y in (row * Self.tileSide)..<((row + 1) * Self.tileSide) {
      for x in (column * Self.tileSide)..<((column + 1) * Self.tileSide) {
        let index = gridIndex(column: x, row: y)
        let value = min(max(response(x: x, y: y), -1), 1)
        change = max(change, abs(value - grid[index]))
        next[index] = value
      }
    }
    return change
  }

  private func response(x: Int, y: Int) -> Float {
    FilterSum.sum(
      weights: bank.weights.span,
      weightStart: filterOffsets[y * FingerCanvas.coarseWidth + x], grid: grid.span,
      gridStart: gridIndex(column: x - GaborBank.radius, row: y - GaborBank.radius), stride: stride)
  }

  /// A last round without clipping leaves smooth waves, fit for interpolation.
  private func finished() -> ScalarField {
    var heights = ScalarField(width: FingerCanvas.coarseWidth, height: FingerCanvas.coarseHeight)
    for y in 0..<heights.height {
      for x in 0..<heights.width { heights[x: x, y: y] = response(x: x, y: y) / GaborBank.gain }
    }
    return heights
  }

  /// Gives ridges the same height everywhere. Filters respond weakly where ridges end, fork or turn
  /// sharply, and skin does not.
  private func evened(_ heights: ScalarField) -> ScalarField {
    let power = heights.localPower(radius: 5)
    var even = heights
    for index in even.values.indices {
      // A wave of height 1 has the power 1/2.
      let amplitude = (2 * power.values[index]).squareRoot()
      even.values[index] /= 0.12 + 0.88 * amplitude
    }
    return even
  }
}

/// How far apart the ridges lie at each point of a finger: the period of ridge and valley.
///
/// About 9 pixels at 500 ppi, differing by finger and place; wider above the northernmost loop and
/// below the southernmost delta (Cappelli, "Synthetic Fingerprint Generation", in Handbook of
/// Fingerprint Recognition, §6.4).
struct RidgeSpacing: Sendable {
  /// The range of all periods, in pixels.
  static let range = 7.0...12.0

  /// In pixels, at each point of the coarse grid.
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

/// The patch of skin of a synthetic finger, in pixels at 500 ppi, and the coarser grid on which its
/// ridges grow.
enum FingerCanvas {
  static let width = 352
  static let height = 480

  /// Pixels per point of the coarse grid. A ridge and its valley still span four points there.
  static let coarseStep = 2
  static let coarseWidth = width / coarseStep
  static let coarseHeight = height / coarseStep

  /// A point of the canvas from its middle: x to the right, y up, in pixels.
  static func centered(coarseX x: Int, coarseY y: Int) -> (x: Double, y: Double) {
    (Double(x * coarseStep - width / 2), Double(height / 2 - y * coarseStep))
  }
}
