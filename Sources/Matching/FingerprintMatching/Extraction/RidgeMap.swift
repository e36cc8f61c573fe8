/// Where an image shows ridges, and how clearly.
struct RidgeMap: Sendable {
  /// Contrast below this share of the image's strong contrast is background.
  static let contrastShare: Float = 0.25
  /// Share of the variation that must be a ridge wave for a cell to count as ridges.
  ///
  /// Low, since smudged ridges are still ridges: 0.25, 0.18, 0.12, 0.08 and 0.05 missed 10.8, 3.2,
  /// 2.0, 1.5 and 1.3 % at a false match rate of 1/50,000 (FVC2002 DB1_B to DB4_B, single
  /// impressions).
  static let leastStrength: Float = 0.08

  let grid: CellGrid
  private(set) var isRidges: [Bool]
  /// How much of the surroundings of each cell is a plane wave of one direction, 0...1.
  private(set) var clarity: [Float]

  /// Share of a cell that must be seen for its ridges to count.
  static let leastSeen: Float = 0.5

  /// Cells that are at least partly seen and have enough contrast to be filtered.
  static func touched(_ image: NormalizedImage, seen: SeenArea, grid: CellGrid) -> [Bool] {
    let least = max(contrastShare * image.strongContrast, NormalizedImage.blankContrast)
    let smooth = grid.smoothed(image.contrast, sigma: 1)
    return smooth.indices.map { smooth[$0] >= least && seen.shares[$0] > 0 }
  }

  init(
    _ response: RidgeResponse, of image: Plane, wave: RidgeWave, touched: [Bool], seen: SeenArea
  ) {
    let grid = response.grid
    self.grid = grid
    let all = grid.squares(image.samples, width: image.width, height: image.height)
    let wide = grid.smoothed(
      (0..<grid.count).map { SIMD4(response.energy[$0], all[$0], 0, 0) }, sigma: 1)
    isRidges = touched
    clarity = [Float](repeating: 0, count: grid.count)
    for cell in 0..<grid.count where touched[cell] {
      // The response to a pure wave of variance v has a length whose square is 2 v.
      let strength = wide[cell].y > 1e-3 ? min(wide[cell].x / (2 * wide[cell].y), 1) : 0
      isRidges[cell] = strength >= Self.leastStrength
      clarity[cell] = strength * wave.coherence[cell]
    }
    tidy(seen)
  }

  /// Closes holes, removes specks and thin tongues, and keeps parts of some size.
  private mutating func tidy(_ seen: SeenArea) {
    isRidges = majority(isRidges, of: 13)
    isRidges = majority(isRidges, of: 13)
    for cell in isRidges.indices where seen.shares[cell] < Self.leastSeen { isRidges[cell] = false }
    keepLargeParts()
    for cell in clarity.indices where !isRidges[cell] { clarity[cell] = 0 }
  }

  /// The cells with at least `needed` of the 25 cells around them set.
  private func majority(_ field: [Bool], of needed: Int) -> [Bool] {
    var across = [UInt8](repeating: 0, count: grid.count)
    for row in 0..<grid.rows {
      let start = row * grid.columns
      for column in 0..<grid.columns where field[start + column] {
        for x in max(column - 2, 0)...min(column + 2, grid.columns - 1) { across[start + x] += 1 }
      }
    }
    var result = field
    for row in 0..<grid.rows {
      let near = max(row - 2, 0)...min(row + 2, grid.rows - 1)
      for column in 0..<grid.columns {
        let columns = min(column + 2, grid.columns - 1) - max(column - 2, 0) + 1
        var count = 0
        for y in near { count += Int(across[y * grid.columns + column]) }
        // As a share, since there are fewer around at the edge of the image.
        result[row * grid.columns + column] = 25 * count >= needed * near.count * columns
      }
    }
    return result
  }

  private static let sides = [(-1, 0), (1, 0), (0, -1), (0, 1)]

  private mutating func keepLargeParts() {
    var part = [Int](repeating: -1, count: grid.count)
    var sizes: [Int] = []
    for start in 0..<grid.count where isRidges[start] && part[start] < 0 {
      var stack = [start]
      var size = 0
      part[start] = sizes.count
      while let cell = stack.popLast() {
        size += 1
        let (row, column) = (cell / grid.columns, cell % grid.columns)
        for (dy, dx) in Self.sides {
          let (y, x) = (row + dy, column + dx)
          guard y >= 0, y < grid.rows, x >= 0, x < grid.columns else { continue }
          let next = y * grid.columns + x
          guard isRidges[next], part[next] < 0 else { continue }
          part[next] = sizes.count
          stack.append(next)
        }
      }
      sizes.append(size)
    }
    let largest = sizes.max() ?? 0
    for cell in 0..<grid.count where part[cell] >= 0 && sizes[part[cell]] * 5 < largest {
      isRidges[cell] = false
    }
  }
}
