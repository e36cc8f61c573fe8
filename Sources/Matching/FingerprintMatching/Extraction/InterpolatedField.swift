/// A field of cells at every pixel: interpolated between the middles of the cells, constant beyond
/// the outermost.
struct InterpolatedField {
  private let grid: CellGrid
  private let field: [Float]
  /// The field at the middles of the cells on the height of one row; one cell more at each end.
  private var across: [Float]

  init(_ field: [Float], grid: CellGrid) {
    (self.grid, self.field) = (grid, field)
    across = [Float](repeating: 0, count: grid.columns + 2)
  }

  /// Turns to a row of pixels.
  mutating func move(to y: Int) {
    let place = (Float(y) + 0.5) / Float(CellGrid.side) + 0.5
    let above = min(max(Int(place) - 1, 0), grid.rows - 1) * grid.columns
    let below = min(Int(place), grid.rows - 1) * grid.columns
    let share = place - Float(Int(place))
    for column in 0..<grid.columns {
      let value = field[above + column]
      across[column + 1] = value + share * (field[below + column] - value)
    }
    across[0] = across[1]
    across[grid.columns + 1] = across[grid.columns]
  }

  /// The gaps between the middles of cells, and at both ends of a row, each eight pixels wide.
  var gaps: Range<Int> { 0..<grid.columns + 1 }

  /// The first pixel of a gap, which lies half a cell before the image for the first one.
  static func start(of gap: Int) -> Int { gap * CellGrid.side - CellGrid.side / 2 }

  /// The field at the eight pixels of a gap.
  @inline(__always)
  func values(in gap: Int) -> SIMD8<Float> {
    let shares = SIMD8<Float>(
      0.0625, 0.1875, 0.3125, 0.4375, 0.5625, 0.6875, 0.8125, 0.9375)
    return across[gap] + shares * (across[gap + 1] - across[gap])
  }
}
