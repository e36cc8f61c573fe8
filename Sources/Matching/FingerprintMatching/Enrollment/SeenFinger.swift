/// What an enrollment has seen of a finger, coarse enough to draw and to show anybody: where it was
/// touched, how often and how clearly, without a ridge.
package struct SeenFinger: Equatable, Sendable {
  /// Cells of ``CellGrid`` on each side of a place: a place is 1.2 mm wide, three ridges.
  static let cellsOfPlace = 3
  /// The most columns or rows.
  static let mostPlaces = (CellGrid.mostCells + cellsOfPlace - 1) / cellsOfPlace
  /// The most that ``times`` and ``clarity`` say.
  package static let mostSteps: UInt8 = 15

  /// Places from left to right, as on a picture of the finger's underside.
  package let columns: Int
  /// Places from the tip down.
  package let rows: Int
  /// For each place, row by row, how many touches showed it, 0...15, rounded up.
  package let times: [UInt8]
  /// For each place, row by row, how clear its ridges are, 0 (unseen) ... 15.
  package let clarity: [UInt8]

  /// - Parameter finger: What was joined.
  init(_ finger: FingerMosaic) {
    let grid = finger.view.flow.grid
    let side = Self.cellsOfPlace
    columns = (grid.columns + side - 1) / side
    rows = (grid.rows + side - 1) / side
    var sums = [(seen: Float, depth: Float, clarity: Float)](
      repeating: (0, 0, 0), count: columns * rows)
    for cell in 0..<grid.count where finger.view.flow.clarity[cell] > 0 {
      let place = cell / grid.columns / side * columns + cell % grid.columns / side
      sums[place].seen += 1
      sums[place].depth += finger.depths[cell]
      sums[place].clarity += Float(finger.view.flow.clarity[cell])
    }
    // A place at the rim counts once a third of it was seen.
    let least = Float(side * side) / 3
    let most = Float(Self.mostSteps)
    times = sums.map {
      $0.seen < least ? 0 : UInt8(min(($0.depth / $0.seen).rounded(.up), most))
    }
    clarity = sums.map {
      $0.seen < least
        ? 0 : UInt8(min(max(($0.clarity / $0.seen / 255 * most).rounded(), 1), most))
    }
  }
}
