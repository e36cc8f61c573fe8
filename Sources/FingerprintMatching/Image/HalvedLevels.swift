/// The mean level of every two by two pixels of a working image, and where these are flat.
///
/// Means, since a sensor's noise spreads levels over a wider range than it does their means.
struct HalvedLevels: Sendable {
  /// Samples in a row, each two by two pixels; the last ones may be narrower.
  let width: Int
  let height: Int
  /// Samples from one row to the next: a multiple of ``lanes``.
  private let stride: Int
  private var lightness: [UInt8]
  /// 255 less the lightness, so that the least of neighbors is found as the greatest is.
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
      let above = image.row(2 * y)
      let below = image.row(min(2 * y + 1, image.height - 1))
      let start = y * stride
      for x in 0..<width {
        let (left, right) = (2 * x, min(2 * x + 1, image.width - 1))
        let (a, b) = (levels[above + left], levels[above + right])
        let (c, d) = (levels[below + left], levels[below + right])
        let mean = UInt8((Int(a) + Int(b) + Int(c) + Int(d)) / 4)
        lightness[start + x] = mean
        darkness[start + x] = 255 - mean
      }
    }
  }

  /// By how many levels the samples of a cell typically differ: half of all that cells differ by is in
  /// cells that differ by more, so that blank ones do not count, however many there are.
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

  /// Where there are flat squares, row by row over ``width`` by ``height``: 1 in each sample of one,
  /// else 0.
  ///
  /// - Parameters:
  ///   - reach: Samples that a square reaches to each side of its middle; what lies beyond the image
  ///     is as flat as its edge.
  ///   - limit: Levels by which samples of a flat square may differ.
  ///   - edge: Samples around a square that count as part of it.
  /// - Returns: A number for each sample.
  func flatSquares(reach: Int, limit: Int, edge: Int) -> [UInt8] {
    let light = greatest(of: lightness, within: reach)
    let dark = greatest(of: darkness, within: reach)
    var flat = light
    for k in flat.indices { flat[k] = Int(light[k]) + Int(dark[k]) - 255 <= limit ? 1 : 0 }
    // What lies beyond the rows counts as flat, and is not to spread.
    for y in 0..<height { for x in width..<stride { flat[y * stride + x] = 0 } }
    let squares = greatest(of: flat, within: reach + edge)
    return (0..<height).flatMap { squares[$0 * stride..<$0 * stride + width] }
  }

  /// For each sample the greatest value not more than `reach` samples away along either axis.
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
        rows.setSixteen(most, at: y * stride + x)
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
      samples.setSixteen(most, at: start + x)
    }
  }
}
