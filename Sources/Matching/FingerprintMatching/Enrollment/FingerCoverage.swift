/// How much of a finger its touches have shown, from how many of them showed each place.
///
/// Enrollment ends when three things hold; none is a number of touches:
///
/// - The next touch will show hardly anything new. The size of the finger and of the sensor and the
///   person's habit are unknown, so the share of the next touch that will be new is estimated as N1
///   / N: the places seen once over all the times that a place was seen (Good, "The population
///   frequencies of species and the estimation of population parameters", 1953, equation 9).
/// - Places were seen several times on average, since one touch shows what another smears.
/// - The area is that of a touch, so a small sensor touched in one spot is not enough.
///
/// Simulated placements of an ellipse of 280 by 390 pixels reach ``Enrollment/enough`` after 4 to 6
/// touches of a full sensor. With placements that vary by 45 pixels to each side, they reach it
/// after 8 to 12 touches of a sensor of 160 pixels a side, 13 to 19 of 112, and 19 to 28 of 88.
package struct FingerCoverage: Sendable {
  /// Share of the next touch that will have been seen, above which more touches show little new.
  static let leastKnown = 0.9
  /// How often places should have been seen, on average.
  static let leastDepth = 3.5
  /// Area in mm² below which a finger is not known, however often it was seen.
  static let leastArea = 80.0

  /// 0...1.
  package let share: Double

  /// - Parameters:
  ///   - depths: For each place that was seen, how many touches showed it; numbers below 1 do not
  ///     count.
  ///   - cellArea: Area of a place on the finger, mm².
  package init(depths: some Sequence<Int>, cellArea: Double) {
    var (places, once, times) = (0.0, 0.0, 0.0)
    for depth in depths where depth > 0 {
      places += 1
      times += Double(depth)
      if depth == 1 { once += 1 }
    }
    guard places > 0, cellArea > 0 else {
      share = 0
      return
    }
    let known = min((1 - once / times) / Self.leastKnown, 1)
    let depth = min(times / places / Self.leastDepth, 1)
    let area = min(places * cellArea / Self.leastArea, 1)
    share = known * depth * area
  }
}

/// What an enrollment has seen of a finger, too coarse to show a ridge: where it was touched, how
/// often and how clearly. It may be drawn and shown to anybody.
package struct SeenFinger: Equatable, Sendable {
  /// Cells of ``CellGrid`` on each side of a place, which is 1.2 mm wide: three ridges.
  static let cellsOfPlace = 3
  static let mostPlaces = (CellGrid.mostCells + cellsOfPlace - 1) / cellsOfPlace
  /// The greatest value in ``times`` and ``clarity``.
  package static let mostSteps: UInt8 = 15

  /// Places from left to right, as on a picture of the finger's underside.
  package let columns: Int
  /// Places from the tip down.
  package let rows: Int
  /// For each place, row by row, how many touches showed it, 0...15, rounded up.
  package let times: [UInt8]
  /// For each place, row by row, how clear its ridges are, 0 (unseen) ... 15.
  package let clarity: [UInt8]

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
    // A place at the rim counts if a third of it was seen.
    let least = Float(side * side) / 3
    let most = Float(Self.mostSteps)
    times = sums.map { $0.seen < least ? 0 : UInt8(min(($0.depth / $0.seen).rounded(.up), most)) }
    clarity = sums.map {
      $0.seen < least
        ? 0 : UInt8(min(max(($0.clarity / $0.seen / 255 * most).rounded(), 1), most))
    }
  }
}
