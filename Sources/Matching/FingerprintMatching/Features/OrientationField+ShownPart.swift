extension OrientationField {
  /// The grid that is left without the empty rows and columns around the ridges, and how many
  /// columns and rows are left out at the left and top; one cell where there are no ridges.
  var shownPart: (grid: CellGrid, columns: Int, rows: Int) {
    let shown = (0..<grid.count).filter { clarity[$0] > 0 }
    let columns = shown.map { $0 % grid.columns }
    let rows = shown.map { $0 / grid.columns }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else { return (CellGrid(columns: 1, rows: 1), 0, 0) }
    return (CellGrid(columns: right - left + 1, rows: bottom - top + 1), left, top)
  }
}
