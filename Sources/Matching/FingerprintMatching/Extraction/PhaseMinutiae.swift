internal import Glibc

/// Minutiae as the places around which the phase of the ridge wave turns once.
///
/// An ending and a fork are the same thing to the phase, a spiral of one turn (Larkin and Fletcher
/// 2007; Feng and Jain, "Fingerprint reconstruction: from minutiae to phase", 2011, section 3), so
/// nothing is binarized or thinned and a gap in a ridge that the filters bridge leaves no trace.
struct PhaseMinutiae {
  /// Two spirals of opposite sense closer than this share of a period are a scratch or a pore.
  static let pairDistance: Float = 0.8
  /// Minutiae this close to where the ridges end, in pixels, are where the print ends.
  static let margin = 10
  /// Minutiae this close to what is not seen, in pixels, may be ridges cut off there.
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
      Minutia(
        x: $0.x, y: $0.y, direction: $0.direction, quality: $0.quality, period: $0.period)
    }
  }

  /// Takes away spirals that annihilate each other, the closest pairs first.
  private static func withoutPairs(_ spirals: [Spiral]) -> [Spiral] {
    let farthest = pairDistance * RidgeWave.periods.upperBound + Float(CellGrid.side)
    var pairs: [(distance: Float, Int, Int)] = []
    for i in spirals.indices {
      for j in spirals.indices.dropFirst(i + 1) {
        // They come cell row by cell row, so that all that follow are too far away.
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

  /// Whether all around is seen, as far as the filters reach.
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
