/// Sums of whole numbers over any rectangle of a picture, each in constant time (Crow, "Summed-area
/// tables for texture mapping", 1984).
struct SummedArea {
  let width: Int
  let height: Int
  private let table: [Int]

  /// - Parameters:
  ///   - width: Columns of the picture.
  ///   - height: Its rows.
  ///   - values: `width * height` values, row after row.
  init(width: Int, height: Int, values: [Int]) {
    var table = [Int](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row = 0
      for x in 0..<width {
        row += values[y * width + x]
        table[(y + 1) * (width + 1) + x + 1] = table[y * (width + 1) + x + 1] + row
      }
    }
    (self.width, self.height, self.table) = (width, height, table)
  }

  /// The sum over some columns and rows, which lie in the picture.
  func sum(columns: Range<Int>, rows: Range<Int>) -> Int {
    let (top, bottom) = (rows.lowerBound * (width + 1), rows.upperBound * (width + 1))
    return table[bottom + columns.upperBound] - table[bottom + columns.lowerBound]
      - table[top + columns.upperBound] + table[top + columns.lowerBound]
  }

  /// The sum over the square of an odd side around a pixel, as far as it lies in the picture, and
  /// how many pixels that are.
  func sum(around x: Int, _ y: Int, side: Int) -> (sum: Int, count: Int) {
    let columns = max(x - side / 2, 0)..<min(x + side / 2 + 1, width)
    let rows = max(y - side / 2, 0)..<min(y + side / 2 + 1, height)
    return (sum(columns: columns, rows: rows), columns.count * rows.count)
  }
}
