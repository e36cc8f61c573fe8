/// Where a working image can show skin: not beyond the sensor's window, in the margins of a swipe,
/// on a block burnt into the pad, nor on any other ground as flat as these.
///
/// At its edge ridges are cut off; they do not end. What the driver says of its window is believed;
/// a square that is flat, and too wide for a valley, shows nothing whoever says what.
struct SeenArea: Sendable {
  /// Samples that a flat square reaches to each side of its middle: 14 pixels a side, wider than
  /// the valleys of dry fingers with the widest ridges.
  static let flatReach = 3
  /// Share of a cell's typical range of levels within which a square is flat: less than the share
  /// ``RidgeMap/contrastShare`` from which on contrast counts as ridges.
  static let flatShare = 0.16
  /// Levels within which a square is flat whatever the contrast.
  static let flatLevels = 4
  /// Samples around a flat square that are not seen either: a slanted edge leaves corners that no
  /// square reaches, and resampling blurs every edge.
  static let edge = 1

  /// Samples in a row, each two by two pixels.
  let width: Int
  let height: Int
  /// Row by row, 1 where a sample shows skin, else 0.
  let samples: [UInt8]
  /// The share of each cell that is seen, 0...1.
  let shares: [Float]
  /// Whether all of the image is seen.
  let isWhole: Bool

  init(_ image: WorkingImage, grid: CellGrid) {
    let levels = HalvedLevels(image)
    let limit = max(Int(Self.flatShare * Double(levels.typicalRange(of: grid))), Self.flatLevels)
    var samples = levels.outsideFlatSquares(
      reach: Self.flatReach, limit: limit, edge: Self.edge)
    (width, height) = (levels.width, levels.height)
    if image.hasExtents {
      for y in 0..<height {
        for x in 0..<width where !image.shows(2 * x, 2 * y) { samples[y * width + x] = 0 }
      }
    }
    self.samples = samples
    isWhole = !samples.contains(0)
    shares =
      isWhole
      ? [Float](repeating: 1, count: grid.count)
      : Self.shares(of: samples, width: width, height: height, in: grid)
  }

  /// Whether a pixel of the image shows skin; beyond the image nothing does.
  func contains(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && y >= 0 && x / 2 < width && y / 2 < height && samples[y / 2 * width + x / 2] != 0
  }

  /// Sets to 0 what is not seen.
  func clear(_ plane: inout Plane) {
    guard !isWhole else { return }
    let (columns, rows) = (plane.width, plane.height)
    var pixels = plane.samples.mutableSpan
    for y in 0..<rows {
      let start = y * columns
      let row = y / 2 * width
      for x in 0..<width where samples[row + x] == 0 {
        pixels[start + 2 * x] = 0
        if 2 * x + 1 < columns { pixels[start + 2 * x + 1] = 0 }
      }
    }
  }

  /// Whether all of three by three samples are seen, beyond the image as at its edge.
  func containsAll(around x: Int, _ y: Int) -> Bool {
    let rows = min(max(y - 1, 0), height - 1)...min(y + 1, height - 1)
    let columns = min(max(x - 1, 0), width - 1)...min(x + 1, width - 1)
    for row in rows {
      for column in columns where samples[row * width + column] == 0 { return false }
    }
    return true
  }

  /// The share of each cell whose samples are 1.
  private static func shares(
    of samples: [UInt8], width: Int, height: Int, in grid: CellGrid
  ) -> [Float] {
    let side = HalvedPlane.cellSide
    var counts = [Int](repeating: 0, count: grid.count)
    for y in 0..<height {
      let start = y / side * grid.columns
      for x in 0..<width { counts[start + x / side] += Int(samples[y * width + x]) }
    }
    return (0..<grid.count).map { cell in
      let rows = min(height - cell / grid.columns * side, side)
      let columns = min(width - cell % grid.columns * side, side)
      return Float(counts[cell]) / Float(rows * columns)
    }
  }
}
