internal import Glibc

/// Minutiae as the places around which the phase of the ridge wave turns once.
///
/// To the phase, an ending and a fork are the same thing: a spiral of one turn (Larkin and Fletcher
/// 2007; Feng and Jain, "Fingerprint reconstruction: from minutiae to phase", 2011, section 3). So
/// nothing is binarized or thinned, and a gap in a ridge that the filters bridge leaves no trace.
struct PhaseMinutiae {
  /// Two spirals of opposite sense closer than this share of a period are a scratch or a pore.
  static let pairDistance: Float = 0.8
  /// Minutiae this close to where the ridges end, in pixels, are the end of the print.
  static let margin = 10
  /// Minutiae this close to the unseen area, in pixels, may be ridges cut off there.
  static let seenMargin = 10

  let minutiae: [Minutia]

  private struct Spiral {
    var x, y, direction, period, quality: Float
  }

  init(_ response: RidgeResponse, wave: RidgeWave, map: RidgeMap, seen: SeenArea) {
    let turns = PhaseTurns(response)
    var spirals: [Spiral] = []
    let grid = response.grid
    for row in 0..<grid.rows {
      for column in 0..<grid.columns where map.isRidges[row * grid.columns + column] {
        let cell = row * grid.columns + column
        turns.forEach(inCell: column, row) { x, y, turn in
          // The phase falls along (-sin, cos) of the orientation; ridges lie denser on the side
          // where the spiral adds to that.
          let tuned = response.tuning[cell] + (turn > 0 ? 0 : -Float.pi)
          let (middleX, middleY) = (Float(x) + 0.5, Float(y) + 0.5)
          spirals.append(
            Spiral(
              x: middleX, y: middleY,
              direction: wave.direction(at: middleX, middleY, near: tuned),
              period: wave.period[cell], quality: map.clarity[cell]))
        }
      }
    }
    minutiae = Self.withoutPairs(spirals).filter { spiral in
      Self.isInside(spiral, map: map, width: response.width, height: response.height)
        && Self.isSeen(spiral, seen)
    }.map {
      Minutia(x: $0.x, y: $0.y, direction: $0.direction, quality: $0.quality, period: $0.period)
    }
  }

  /// Removes spirals that annihilate each other, the closest pairs first.
  private static func withoutPairs(_ spirals: [Spiral]) -> [Spiral] {
    let farthest = pairDistance * RidgeWave.periods.upperBound + Float(CellGrid.side)
    var pairs: [(distance: Float, Int, Int)] = []
    for i in spirals.indices {
      for j in spirals.indices.dropFirst(i + 1) {
        // Spirals are sorted by cell rows, so all that follow are too far away.
        guard spirals[j].y - spirals[i].y < farthest else { break }
        let dx = spirals[i].x - spirals[j].x
        let dy = spirals[i].y - spirals[j].y
        let distance = (dx * dx + dy * dy).squareRoot() / spirals[i].period
        guard distance < pairDistance else { continue }
        guard cosf(spirals[i].direction - spirals[j].direction) < -0.5 else { continue }
        pairs.append((distance, i, j))
      }
    }
    pairs.sort { $0.distance < $1.distance }
    var isLeft = [Bool](repeating: true, count: spirals.count)
    for (_, i, j) in pairs where isLeft[i] && isLeft[j] {
      isLeft[i] = false
      isLeft[j] = false
    }
    return spirals.indices.filter { isLeft[$0] }.map { spirals[$0] }
  }

  /// Whether everything within ``seenMargin`` is seen.
  private static func isSeen(_ spiral: Spiral, _ seen: SeenArea) -> Bool {
    guard !seen.isWhole else { return true }
    let (x, y) = (Int(spiral.x), Int(spiral.y))
    for dy in stride(from: -seenMargin, through: seenMargin, by: 2) {
      for dx in stride(from: -seenMargin, through: seenMargin, by: 2)
      where dx * dx + dy * dy <= seenMargin * seenMargin && !seen.contains(x + dx, y + dy) {
        return false
      }
    }
    return true
  }

  /// Whether there are ridges on all sides, ``margin`` pixels away.
  private static func isInside(_ spiral: Spiral, map: RidgeMap, width: Int, height: Int) -> Bool {
    let (x, y) = (Int(spiral.x), Int(spiral.y))
    for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)] {
      let (px, py) = (x + dx * margin, y + dy * margin)
      guard (0..<width).contains(px), (0..<height).contains(py) else { return false }
      guard map.isRidges[py / CellGrid.side * map.grid.columns + px / CellGrid.side] else {
        return false
      }
    }
    return true
  }
}

/// Around a square, the phase turns as often as it crosses from π to -π. Each of the four steps is
/// the shorter way from one number to the next, which passes the negative real axis if the
/// imaginary parts have opposite signs and the cross product the right one. So no angle is
/// computed.
private struct PhaseTurns {
  private let response: RidgeResponse

  init(_ response: RidgeResponse) { self.response = response }

  /// Calls `body` with the upper left pixel of each square in a cell around which the phase turns,
  /// and with -1 or 1, the sense of the turn.
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

  /// Which of eight neighboring numbers are negative, and which differ in sign from the next.
  private struct Signs {
    let areNegative: SIMDMask<SIMD8<Int32>>
    let change: SIMDMask<SIMD8<Int32>>

    @inline(__always)
    init(of samples: Span<Float>, at index: Int) {
      let window = samples.window(from: index, length: 9)
      areNegative = window.eight(at: 0) .< 0
      change = areNegative .^ (window.eight(at: 1) .< 0)
    }

    /// Where the signs of a number, the next one and the two below are not all alike.
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

  /// Whether the wave of a cell to the right or below runs the opposite way: orientations near 0
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

  /// How often the phase turns around the square to the right of and below (x, y): -1, 0 or 1.
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

  /// 1 if the shorter way from one number to another passes the negative real axis downwards (which
  /// takes a turn off the phase), -1 if upwards, else 0.
  private static func crossing(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Int {
    guard (a.y < 0) != (b.y < 0) else { return 0 }
    let product = a.x * b.y - a.y * b.x
    if a.y >= 0 { return product > 0 ? 1 : 0 }
    return product < 0 ? -1 : 0
  }
}
