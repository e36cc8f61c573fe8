/// The cells of a finger that its touches have shown, in the frame of one group of impressions.
struct FingerMap: Sendable {
  private struct Place: Hashable, Sendable {
    let column: Int
    let row: Int
  }

  private var places: Set<Place> = []

  /// Number of cells seen.
  var count: Int { places.count }

  /// Takes in a touch.
  ///
  /// - Parameters:
  ///   - flow: What it showed.
  ///   - placement: From its pixels to the group's.
  /// - Returns: Share of its cells that had not been seen.
  mutating func add(_ flow: RidgeFlow, at placement: RigidMotion) -> Double {
    let side = Float(CellGrid.side)
    var (fresh, all) = (0, 0)
    for cell in 0..<flow.grid.count where flow.clarity[cell] > 0 {
      let column = Float(cell % flow.grid.columns) + 0.5
      let row = Float(cell / flow.grid.columns) + 0.5
      let place = placement.apply(column * side, row * side)
      // A placement comes from two touches of a sensor, so it never leads farther than this.
      guard abs(place.x) < 16_384, abs(place.y) < 16_384 else { continue }
      let seen = Place(
        column: Int((place.x / side).rounded(.down)), row: Int((place.y / side).rounded(.down)))
      all += 1
      if places.insert(seen).inserted { fresh += 1 }
    }
    return all > 0 ? Double(fresh) / Double(all) : 0
  }

  /// How far the cells seen reach from a point of the group's frame, in pixels.
  func reach(from x: Float, _ y: Float) -> (left: Float, right: Float, up: Float, down: Float) {
    let side = Float(CellGrid.side)
    var reach: (left: Float, right: Float, up: Float, down: Float) = (0, 0, 0, 0)
    for place in places {
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
