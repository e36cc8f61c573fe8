/// The squares of four pixels around which the phase of a response turns once.
///
/// Going round a square, the phase turns as often as it crosses from π to -π. Each of the four
/// steps is the shorter way from one number to the next, which passes the negative real axis if
/// the imaginary parts have opposite signs and the cross product the right one; so no angle is
/// ever worked out.
struct PhaseTurns {
  private let response: RidgeResponse

  init(_ response: RidgeResponse) {
    self.response = response
  }

  /// Calls `body` with the upper left pixel of each square that starts in a cell and around which
  /// the phase turns, and with -1 or 1, the sense of the turn.
  @inline(__always)
  func forEach(inCell column: Int, _ row: Int, _ body: (Int, Int, Int) -> Void) {
    let xs = CellGrid.pixels(of: column, length: response.width - 1)
    let ys = CellGrid.pixels(of: row, length: response.height - 1)
    guard xs.count == CellGrid.side, !hasOppositeNeighbor(column, row) else {
      for y in ys { report(y, xs, body) }
      return
    }
    let (even, odd) = (response.even.span, response.odd.span)
    var at = ys.lowerBound * response.width + xs.lowerBound
    var above = (even: Signs(of: even, at: at), odd: Signs(of: odd, at: at))
    for y in ys {
      at &+= response.width
      let below = (even: Signs(of: even, at: at), odd: Signs(of: odd, at: at))
      // Without a change of sign in both parts around a square there is no turn.
      if any(above.even.changes(to: below.even) .& above.odd.changes(to: below.odd)) {
        report(y, xs, body)
      }
      above = below
    }
  }

  /// Which of eight neighboring numbers are negative, and which have not the sign of the next.
  private struct Signs {
    let areNegative: SIMDMask<SIMD8<Int32>>
    let change: SIMDMask<SIMD8<Int32>>

    @inline(__always)
    init(of samples: Span<Float>, at index: Int) {
      let window = samples.window(from: index, length: 9)
      areNegative = window.eight(at: 0) .< 0
      change = areNegative .^ (window.eight(at: 1) .< 0)
    }

    /// Where around the square between a number, the next and those below signs are not all alike.
    @inline(__always)
    func changes(to below: Signs) -> SIMDMask<SIMD8<Int32>> {
      change .| below.change .| (areNegative .^ below.areNegative)
    }
  }

  private func report(_ y: Int, _ xs: Range<Int>, _ body: (Int, Int, Int) -> Void) {
    for x in xs {
      let turn = turn(x, y)
      if turn != 0 { body(x, y, turn) }
    }
  }

  /// Whether the wave of a cell on the right or below runs the opposite way: orientations near 0
  /// and near π are alike, but the phase falls in opposite directions.
  private func hasOppositeNeighbor(_ column: Int, _ row: Int) -> Bool {
    let right = min(column + 1, response.grid.columns - 1)
    let below = min(row + 1, response.grid.rows - 1)
    let columns = response.grid.columns
    let tuning = response.tuning[row * columns + column]
    func isOpposite(_ cell: Int) -> Bool { abs(response.tuning[cell] - tuning) > .pi / 2 }
    return isOpposite(row * columns + right) || isOpposite(below * columns + column)
      || isOpposite(below * columns + right)
  }

  /// How often the phase turns around the square right and below of (x, y): -1, 0 or 1.
  private func turn(_ x: Int, _ y: Int) -> Int {
    let tuning = response.tuning[cell(x, y)]
    let a = value(x, y, near: tuning)
    let b = value(x + 1, y, near: tuning)
    let c = value(x + 1, y + 1, near: tuning)
    let d = value(x, y + 1, near: tuning)
    return Self.crossing(a, b) + Self.crossing(b, c) + Self.crossing(c, d) + Self.crossing(d, a)
  }

  private func cell(_ x: Int, _ y: Int) -> Int {
    y / CellGrid.side * response.grid.columns + x / CellGrid.side
  }

  /// The response at a pixel (x: even, y: odd), conjugated if its wave runs opposite to `tuning`.
  private func value(_ x: Int, _ y: Int, near tuning: Float) -> SIMD2<Float> {
    let at = y * response.width + x
    let isOpposite = abs(response.tuning[cell(x, y)] - tuning) > .pi / 2
    return SIMD2(response.even[at], isOpposite ? -response.odd[at] : response.odd[at])
  }

  /// Whether the shorter way from one number to another passes the negative real axis downwards
  /// (-1 turn is taken off the phase, so it counts 1), upwards (-1), or not (0).
  private static func crossing(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Int {
    guard (a.y < 0) != (b.y < 0) else { return 0 }
    let product = a.x * b.y - a.y * b.x
    if a.y >= 0 { return product > 0 ? 1 : 0 }
    return product < 0 ? -1 : 0
  }
}
