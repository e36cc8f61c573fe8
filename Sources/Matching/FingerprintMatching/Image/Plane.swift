/// A rectangle of single-precision samples, row-major.
struct Plane: Sendable {
  let width: Int
  let height: Int
  var samples: [Float]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    samples = [Float](repeating: 0, count: width * height)
  }

  subscript(x: Int, y: Int) -> Float {
    get { samples[y * width + x] }
    set { samples[y * width + x] = newValue }
  }
}

/// A plane at half its resolution, each sample the mean of four, with a margin repeated from its
/// edge.
///
/// The shortest ridge period is 4.5 pixels, so ridges are kept. Guesses and slow changes are
/// computed here at a quarter of the cost.
struct HalvedPlane: Sendable {
  /// Width of the margin on each side: the greatest reach of a filter.
  static let margin = 4
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
      // Four at a time, while the eight samples they are made of lie inside.
      let inside = min(plane.width / 8 * 4, columns)
      for x in Swift.stride(from: 0, to: inside, by: 4) {
        let sum = whole.eight(at: above + 2 * x) + whole.eight(at: below + 2 * x)
        halved.set(0.25 * (sum.evenHalf + sum.oddHalf), at: start + x)
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

  /// The index in ``samples`` of the sample (x, y), counted without the margin.
  func index(_ x: Int, _ y: Int) -> Int { Self.index(x, y, stride: stride) }

  private static func index(_ x: Int, _ y: Int, stride: Int) -> Int {
    (y + margin) * stride + x + margin
  }

  /// The plane blurred by a Gaussian in some cells; 0 elsewhere.
  func blurred(_ envelope: GaborEnvelope, where cells: [Bool]) -> HalvedPlane {
    var result = HalvedPlane(grid: grid)
    let weights = InlineArray<5, SIMD4<Float>> {
      SIMD4(repeating: envelope.weights[$0] / envelope.total)
    }
    var target = result.samples.mutableSpan
    for cell in cells.indices where cells[cell] {
      let first = index(cell % grid.columns * Self.cellSide, cell / grid.columns * Self.cellSide)
      let rows = blurredRows(around: first, weights.span)
      for y in 0..<Self.cellSide {
        let window = rows.span.window(from: y, length: 2 * GaborEnvelope.halvedReach + 1)
        var sum = weights[0] * window[GaborEnvelope.halvedReach]
        for k in 1..<GaborEnvelope.halvedReach + 1 {
          sum +=
            weights[k]
            * (window[GaborEnvelope.halvedReach - k] + window[GaborEnvelope.halvedReach + k])
        }
        target.set(sum, at: first + y * stride)
      }
    }
    return result
  }

  /// The rows of a cell, and as many above and below as the Gaussian reaches, blurred along x.
  @inline(__always)
  private func blurredRows(
    around first: Int, _ weights: Span<SIMD4<Float>>
  ) -> InlineArray<12, SIMD4<Float>> {
    let reach = GaborEnvelope.halvedReach
    let source = samples.span
    let corner = first - reach * (stride + 1)
    return InlineArray { row in
      let window = source.window(from: corner &+ row &* stride, length: 2 * reach + 4)
      var sum = weights[0] * window.four(at: reach)
      for k in 1..<reach + 1 {
        sum += weights[k] * (window.four(at: reach - k) + window.four(at: reach + k))
      }
      return sum
    }
  }
}
