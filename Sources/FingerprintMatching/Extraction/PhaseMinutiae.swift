internal import Glibc

/// Minutiae as the places around which the phase of the ridge wave turns once.
///
/// An ending and a fork are the same thing to the phase, a spiral of one turn (Larkin and Fletcher
/// 2007; Feng and Jain, "Fingerprint reconstruction: from minutiae to phase", 2011, section 3), so
/// nothing is binarised or thinned and a gap in a ridge that the filters bridge leaves no trace.
struct PhaseMinutiae {
  /// Two spirals of opposite sense closer than this share of a period are a scratch or a pore.
  static let pairDistance: Float = 0.8
  /// Minutiae this close to where the ridges end, in pixels, are where the print ends.
  static let margin = 10

  let minutiae: [Minutia]

  private struct Spiral {
    var x: Float
    var y: Float
    var direction: Float
    var period: Float
    var quality: Float
  }

  init(_ response: RidgeResponse, wave: RidgeWave, map: RidgeMap) {
    let phase = Self.phase(response)
    var spirals: [Spiral] = []
    let grid = response.grid
    for row in 0..<grid.rows {
      for column in 0..<grid.columns where map.isRidges[row * grid.columns + column] {
        for y in CellGrid.pixels(of: row, length: response.height - 1) {
          for x in CellGrid.pixels(of: column, length: response.width - 1) {
            let turn = Self.turn(phase, x, y, response)
            guard turn != 0 else { continue }
            let cell = row * grid.columns + column
            // The phase rises along (-sin, cos) of the orientation; ridges lie denser on the side
            // where the spiral adds to that rise.
            let tuned = response.tuning[cell] + (turn > 0 ? 0 : -Float.pi)
            let angle = wave.direction(at: Float(x) + 0.5, Float(y) + 0.5, near: tuned)
            spirals.append(
              Spiral(
                x: Float(x) + 0.5, y: Float(y) + 0.5, direction: angle,
                period: wave.period[cell], quality: map.clarity[cell]))
          }
        }
      }
    }
    minutiae = Self.withoutPairs(spirals).filter { spiral in
      Self.isInside(spiral, map: map, width: response.width, height: response.height)
    }.map { Minutia(x: $0.x, y: $0.y, direction: $0.direction, quality: $0.quality) }
  }

  private static func phase(_ response: RidgeResponse) -> [Float] {
    var phase = [Float](repeating: 0, count: response.even.count)
    for k in phase.indices where response.even[k] != 0 || response.odd[k] != 0 {
      phase[k] = atan2f(response.odd[k], response.even[k])
    }
    return phase
  }

  /// How often the phase turns around the square of pixels right and below of (x, y): -1, 0 or 1.
  private static func turn(
    _ phase: [Float], _ x: Int, _ y: Int, _ response: RidgeResponse
  ) -> Int {
    let grid = response.grid
    let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    let first = response.tuning[y / CellGrid.side * grid.columns + x / CellGrid.side]
    var values: (Float, Float, Float, Float) = (0, 0, 0, 0)
    for (k, (cx, cy)) in corners.enumerated() {
      let cell = cy / CellGrid.side * grid.columns + cx / CellGrid.side
      // Orientations near 0 and near π are alike but their waves run opposite ways.
      let opposite = abs(response.tuning[cell] - first) > .pi / 2
      let value = (opposite ? -1 : 1) * phase[cy * response.width + cx]
      switch k {
      case 0: values.0 = value
      case 1: values.1 = value
      case 2: values.2 = value
      default: values.3 = value
      }
    }
    let sum =
      difference(values.1, values.0) + difference(values.2, values.1)
      + difference(values.3, values.2) + difference(values.0, values.3)
    return Int((sum / (2 * .pi)).rounded())
  }

  private static func difference(_ a: Float, _ b: Float) -> Float {
    let d = a - b
    return d > .pi ? d - 2 * .pi : d < -.pi ? d + 2 * .pi : d
  }

  /// Takes away spirals that annihilate each other, the closest pairs first.
  private static func withoutPairs(_ spirals: [Spiral]) -> [Spiral] {
    var pairs: [(distance: Float, Int, Int)] = []
    for i in spirals.indices {
      for j in spirals.indices.dropFirst(i + 1) {
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

  /// Whether there are ridges all around, `margin` pixels away.
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
