/// How much of a print the sensor's window cuts off at each side: of the rows (or columns) that
/// show ridges, the share in which they run on to the window's edge. 0 where the finger ends
/// before.
package struct CutSides: Hashable, Sendable {
  package private(set) var left = 0.0
  package private(set) var right = 0.0
  package private(set) var top = 0.0
  package private(set) var bottom = 0.0

  /// Cells from the edge in which ridges run on to it: tidying takes away what is nearer.
  private static let margin = 2

  /// - Parameter map: Where an image shows ridges.
  init(_ map: RidgeMap) {
    let grid = map.grid
    var firsts = (
      column: [Int](repeating: .max, count: grid.columns),
      row: [Int](repeating: .max, count: grid.rows)
    )
    var lasts = (
      column: [Int](repeating: -1, count: grid.columns), row: [Int](repeating: -1, count: grid.rows)
    )
    for row in 0..<grid.rows {
      for column in 0..<grid.columns where map.isRidges[row * grid.columns + column] {
        firsts.row[row] = min(firsts.row[row], column)
        lasts.row[row] = column
        firsts.column[column] = min(firsts.column[column], row)
        lasts.column[column] = row
      }
    }
    let rows = Double(max(lasts.row.count { $0 >= 0 }, 1))
    let columns = Double(max(lasts.column.count { $0 >= 0 }, 1))
    left = Double(firsts.row.count { $0 < Self.margin }) / rows
    right = Double(lasts.row.count { $0 >= max(grid.columns - Self.margin, 0) }) / rows
    top = Double(firsts.column.count { $0 < Self.margin }) / columns
    bottom = Double(lasts.column.count { $0 >= max(grid.rows - Self.margin, 0) }) / columns
  }

  private init(left: Double, right: Double, top: Double, bottom: Double) {
    (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
  }

  /// What is cut off in both of two touches: where one shows the finger's end, that is known.
  func common(with other: CutSides) -> CutSides {
    CutSides(
      left: min(left, other.left), right: min(right, other.right), top: min(top, other.top),
      bottom: min(bottom, other.bottom))
  }
}
