/// A plane at half its resolution, each sample the mean of four, with a margin repeated from its
/// edge.
///
/// The shortest ridge period is 4.5 pixels, so that ridges are kept; what is only a guess or
/// changes slowly is worked out here at a quarter of the cost. A cell has ``cellSide`` samples a
/// side.
struct HalvedPlane: Sendable {
  /// Width of the margin on each side: the most that a filter may reach.
  static let margin = 4
  /// Samples on each side of a cell.
  static let cellSide = CellGrid.side / 2

  let grid: CellGrid
  /// Samples from one row to the next.
  let stride: Int
  private(set) var samples: [Float]

  private init(grid: CellGrid) {
    self.grid = grid
    stride = grid.columns * Self.cellSide + 2 * Self.margin
    let rows = grid.rows * Self.cellSide + 2 * Self.margin
    samples = [Float](repeating: 0, count: stride * rows)
  }

  init(_ plane: Plane, grid: CellGrid) {
    self.init(grid: grid)
    let stride = stride
    let whole = plane.samples.span
    var halved = samples.mutableSpan
    let (columns, rows) = (grid.columns * Self.cellSide, grid.rows * Self.cellSide)
    for y in 0..<rows {
      let above = min(2 * y, plane.height - 1) * plane.width
      let below = min(2 * y + 1, plane.height - 1) * plane.width
      let start = Self.index(0, y, stride: stride)
      // Four at a time, as long as the eight samples they are made of lie inside.
      let inside = min(plane.width / 8 * 4, columns)
      for x in Swift.stride(from: 0, to: inside, by: 4) {
        let sum = whole.eight(at: above + 2 * x) + whole.eight(at: below + 2 * x)
        halved.setFour(0.25 * (sum.evenHalf + sum.oddHalf), at: start + x)
      }
      for x in inside..<columns {
        let left = min(2 * x, plane.width - 1)
        let right = min(2 * x + 1, plane.width - 1)
        halved[start + x] =
          0.25
          * (whole[above + left] + whole[above + right] + whole[below + left]
            + whole[below + right])
      }
      for k in 1...Self.margin {
        halved[start - k] = halved[start]
        halved[start + columns - 1 + k] = halved[start + columns - 1]
      }
    }
    for k in 1...Self.margin {
      for x in 0..<stride {
        halved[(Self.margin - k) * stride + x] = halved[Self.margin * stride + x]
        halved[(Self.margin + rows - 1 + k) * stride + x] =
          halved[(Self.margin + rows - 1) * stride + x]
      }
    }
  }

  /// Where in ``samples`` the sample (x, y) is, counted without the margin.
  func index(_ x: Int, _ y: Int) -> Int {
    Self.index(x, y, stride: stride)
  }

  private static func index(_ x: Int, _ y: Int, stride: Int) -> Int {
    (y + margin) * stride + x + margin
  }

  /// The plane blurred by a Gaussian; its margin is 0.
  func blurred(_ envelope: GaborEnvelope) -> HalvedPlane {
    var across = HalvedPlane(grid: grid)
    let rows = grid.rows * Self.cellSide
    across.blur(samples.span, envelope, rows: -Self.margin..<rows + Self.margin, step: 1)
    var result = HalvedPlane(grid: grid)
    result.blur(across.samples.span, envelope, rows: 0..<rows, step: stride)
    return result
  }

  /// Blurs along one axis, on which neighbours are `step` samples apart.
  private mutating func blur(
    _ source: Span<Float>, _ envelope: GaborEnvelope, rows: Range<Int>, step: Int
  ) {
    let (stride, columns) = (stride, grid.columns * Self.cellSide)
    var target = samples.mutableSpan
    for y in rows {
      for x in Swift.stride(from: 0, to: columns, by: 4) {
        let middle = Self.index(x, y, stride: stride)
        var sum = envelope.weights[0] * source.four(at: middle)
        for k in 1..<GaborEnvelope.halvedReach + 1 {
          let pair = source.four(at: middle &- k &* step) + source.four(at: middle &+ k &* step)
          sum += envelope.weights[k] * pair
        }
        target.setFour(sum * (1 / envelope.total), at: middle)
      }
    }
  }
}
