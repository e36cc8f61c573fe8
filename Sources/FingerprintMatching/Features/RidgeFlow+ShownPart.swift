extension RidgeFlow {
  /// The flow without the empty rows and columns around the ridges, and how many columns and rows
  /// were left out at the left and top.
  func cropped() -> (flow: RidgeFlow, columns: Int, rows: Int) {
    let shown = (0..<grid.count).filter { clarity[$0] > 0 }
    let columns = shown.map { $0 % grid.columns }
    let rows = shown.map { $0 / grid.columns }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else {
      let empty = RidgeFlow(grid: CellGrid(columns: 1, rows: 1), orientation: [0], clarity: [0])
      return (empty, 0, 0)
    }
    let part = CellGrid(columns: right - left + 1, rows: bottom - top + 1)
    let cells = (0..<part.count).map { cell in
      (cell / part.columns + top) * grid.columns + cell % part.columns + left
    }
    let flow = RidgeFlow(
      grid: part, orientation: cells.map { orientation[$0] }, clarity: cells.map { clarity[$0] })
    return (flow, left, top)
  }
}
