/// The cells of a finger that its touches have shown, in the frame of one group of impressions.
struct FingerMap: Sendable {
  private struct Place: Hashable, Sendable {
    let column: Int
    let row: Int
  }

  private var touches: [Place: Int] = [:]

  /// Number of cells seen.
  var count: Int { touches.count }

  /// For each cell seen, the number of touches that showed it.
  var depths: some Sequence<Int> { touches.values }

  /// Takes in a touch.
  ///
  /// - Parameters:
  ///   - flow: What it showed.
  ///   - placement: From its pixels to the group's.
  /// - Returns: Share of its cells that had not been seen.
  mutating func add(_ flow: RidgeFlow, at placement: RigidMotion) -> Double {
    let side = Float(CellGrid.side)
    let (right, bottom) = (Float(flow.grid.columns) * side, Float(flow.grid.rows) * side)
    let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)].map {
      placement.apply($0.0, $0.1)
    }
    // A placement comes from two touches of a sensor, so it never leads farther than this.
    guard corners.allSatisfy({ abs($0.x) < 16_384 && abs($0.y) < 16_384 }) else { return 0 }
    let (columns, rows) = (Self.cells(over: corners.map(\.x)), Self.cells(over: corners.map(\.y)))
    let back = placement.inverse
    var (fresh, all) = (0, 0)
    // Each cell of the finger looks for the touch's, so that a turn leaves neither gaps nor doubles.
    for row in rows {
      for column in columns {
        let place = back.apply((Float(column) + 0.5) * side, (Float(row) + 0.5) * side)
        guard flow.cell(at: place.x, place.y) != nil else { continue }
        all += 1
        let seen = touches[Place(column: column, row: row), default: 0]
        if seen == 0 { fresh += 1 }
        touches[Place(column: column, row: row)] = seen + 1
      }
    }
    return all > 0 ? Double(fresh) / Double(all) : 0
  }

  /// The cells on one axis from the least of some places to the greatest.
  private static func cells(over places: [Float]) -> Range<Int> {
    guard let least = places.min(), let greatest = places.max() else { return 0..<0 }
    let side = Float(CellGrid.side)
    return Int((least / side).rounded(.down))..<Int((greatest / side).rounded(.up)) + 1
  }

  /// How far the cells seen reach from a point of the group's frame, in pixels.
  func reach(from x: Float, _ y: Float) -> (left: Float, right: Float, up: Float, down: Float) {
    let side = Float(CellGrid.side)
    var reach: (left: Float, right: Float, up: Float, down: Float) = (0, 0, 0, 0)
    for place in touches.keys {
      let dx = (Float(place.column) + 0.5) * side - x
      let dy = (Float(place.row) + 0.5) * side - y
      reach.left = max(reach.left, -dx)
      reach.right = max(reach.right, dx)
      reach.up = max(reach.up, -dy)
      reach.down = max(reach.down, dy)
    }
    return reach
  }
}
