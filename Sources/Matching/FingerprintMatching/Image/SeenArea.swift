/// Where a working image can show skin: not beyond the sensor's window, in the margins of a swipe,
/// on a block burnt into the pad, or on any other ground as flat as these.
///
/// At its edge ridges are cut off; they do not end. The driver is believed about its window. A
/// square that is flat, and too wide for a valley, shows nothing, whatever the driver says.
struct SeenArea: Sendable {
  /// Samples from the middle of a flat square to its sides: 14 pixels a side, wider than the
  /// valleys of dry fingers with the widest ridges.
  static let flatReach = 3
  /// Share of a cell's typical range of levels within which a square is flat: less than
  /// ``RidgeMap/contrastShare``, above which contrast counts as ridges.
  static let flatShare = 0.16
  /// Levels within which a square is flat, whatever the contrast.
  static let flatLevels = 4
  /// Samples around a flat square that are not seen either: squares do not reach the corners of a
  /// slanted edge, and resampling blurs every edge.
  static let edge = 1

  /// Samples in a row, each two by two pixels.
  let width: Int
  let height: Int
  /// Row by row, 1 where a sample shows skin, else 0.
  let samples: [UInt8]
  /// The share of each cell that is seen, 0...1.
  let shares: [Float]
  let isWhole: Bool

  init(_ image: WorkingImage, grid: CellGrid) {
    let levels = HalvedLevels(image)
    let limit = max(Int(Self.flatShare * Double(levels.typicalRange(of: grid))), Self.flatLevels)
    var samples = levels.outsideFlatSquares(reach: Self.flatReach, limit: limit, edge: Self.edge)
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

  /// Whether a pixel shows skin; false beyond the image.
  func contains(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && y >= 0 && x / 2 < width && y / 2 < height && samples[y / 2 * width + x / 2] != 0
  }

  /// Sets unseen pixels to 0.
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

  /// Whether all of three by three samples are seen; beyond the image its edge is repeated.
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

/// The mean level of every two by two pixels of a working image, and where these are flat.
///
/// Means, since a sensor's noise spreads levels over a wider range than their means.
private struct HalvedLevels: Sendable {
  /// Samples in a row, each two by two pixels; the last ones may be narrower.
  let width: Int
  let height: Int
  /// Samples from one row to the next: a multiple of ``lanes``.
  private let stride: Int
  private var lightness: [UInt8]
  /// 255 minus the lightness, so that the least of neighbors is found as the greatest is.
  private var darkness: [UInt8]

  private static let lanes = 16

  init(_ image: WorkingImage) {
    width = (image.width + 1) / 2
    height = (image.height + 1) / 2
    stride = (width + Self.lanes - 1) / Self.lanes * Self.lanes
    lightness = [UInt8](repeating: 0, count: stride * height)
    darkness = lightness
    let levels = image.levels.span
    for y in 0..<height {
      let above = levels.extracting(image.row(2 * y)..<image.row(2 * y) + image.width)
      let last = image.row(min(2 * y + 1, image.height - 1))
      let below = levels.extracting(last..<last + image.width)
      let start = y * stride
      for x in 0..<width {
        let (left, right) = (2 * x, min(2 * x + 1, image.width - 1))
        let upper = UInt16(above[left]) &+ UInt16(above[right])
        let lower = UInt16(below[left]) &+ UInt16(below[right])
        let mean = UInt8(truncatingIfNeeded: (upper &+ lower) >> 2)
        lightness[start + x] = mean
        darkness[start + x] = 255 - mean
      }
    }
  }

  /// The typical range of levels within a cell: half of the sum of all ranges is in cells with a
  /// greater one. So blank cells do not count, however many there are.
  func typicalRange(of grid: CellGrid) -> Int {
    let side = HalvedPlane.cellSide
    var counts = [Int](repeating: 0, count: 256)
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        var (light, dark) = (UInt8(0), UInt8(0))
        for y in row * side..<min((row + 1) * side, height) {
          for x in column * side..<min((column + 1) * side, width) {
            light = max(light, lightness[y * stride + x])
            dark = max(dark, darkness[y * stride + x])
          }
        }
        counts[max(Int(light) + Int(dark) - 255, 0)] += 1
      }
    }
    let total = counts.indices.reduce(0) { $0 + $1 * counts[$1] }
    var sum = 0
    for range in counts.indices.reversed() {
      sum += range * counts[range]
      if 2 * sum >= total { return range }
    }
    return 0
  }

  /// 0 for each sample in a flat square, else 1, row by row over ``width`` by ``height``.
  ///
  /// - `reach`: Samples from the middle of a square to its sides; beyond the image its edge is
  ///   repeated.
  /// - `limit`: Levels by which samples of a flat square may differ.
  /// - `edge`: Samples around a square that count as part of it.
  func outsideFlatSquares(reach: Int, limit: Int, edge: Int) -> [UInt8] {
    let light = greatest(of: lightness, within: reach)
    let dark = greatest(of: darkness, within: reach)
    var flat = [UInt8](repeating: 0, count: light.count)
    let most = 255 + limit
    for y in 0..<height {
      // Samples beyond the rows would count as flat, and spread.
      for at in y * stride..<y * stride + width where Int(light[at]) + Int(dark[at]) <= most {
        flat[at] = 1
      }
    }
    let squares = greatest(of: flat, within: reach + edge)
    var outside: [UInt8] = []
    outside.reserveCapacity(width * height)
    for y in 0..<height {
      for at in y * stride..<y * stride + width { outside.append(1 - squares[at]) }
    }
    return outside
  }

  /// For each sample the greatest value at most `reach` samples away along either axis.
  private func greatest(of field: [UInt8], within reach: Int) -> [UInt8] {
    var across = [UInt8](repeating: 0, count: field.count)
    var line = [UInt8](repeating: 0, count: stride + 2 * reach)
    for y in 0..<height {
      for x in 0..<width { line[reach + x] = field[y * stride + x] }
      Self.spread(line.span, into: &across, at: y * stride, count: stride, over: 2 * reach)
    }
    var result = across
    var rows = result.mutableSpan
    let span = across.span
    for y in 0..<height {
      let near = max(y - reach, 0)...min(y + reach, height - 1)
      for x in Swift.stride(from: 0, to: stride, by: Self.lanes) {
        var most = span.sixteenLevels(at: near.lowerBound * stride + x)
        for row in near.dropFirst() {
          most = most.greater(span.sixteenLevels(at: row * stride + x))
        }
        rows.set(most, at: y * stride + x)
      }
    }
    return result
  }

  private static func spread(
    _ line: Span<UInt8>, into target: inout [UInt8], at start: Int, count: Int, over length: Int
  ) {
    var samples = target.mutableSpan
    for x in Swift.stride(from: 0, to: count, by: lanes) {
      var most = line.sixteenLevels(at: x)
      for k in 1..<length + 1 { most = most.greater(line.sixteenLevels(at: x + k)) }
      samples.set(most, at: start + x)
    }
  }
}
