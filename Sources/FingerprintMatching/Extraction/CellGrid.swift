internal import Glibc

/// The cells of 8 by 8 pixels on which everything that changes slowly over a print is kept.
///
/// Eight pixels (0.4 mm) are a little less than one ridge period, finer than the ridge flow bends
/// anywhere but at a core.
struct CellGrid: Hashable, Sendable {
  static let side = 8
  /// Area of a cell on the finger, mm².
  static let cellArea = 0.4064 * 0.4064

  let columns: Int
  let rows: Int

  var count: Int { columns * rows }

  /// The cells that cover a plane; the last ones may reach beyond it.
  init(covering plane: Plane) {
    columns = (plane.width + Self.side - 1) / Self.side
    rows = (plane.height + Self.side - 1) / Self.side
  }

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The pixels of a cell on one axis of length `length`.
  static func pixels(of cell: Int, length: Int) -> Range<Int> {
    cell * side..<min((cell + 1) * side, length)
  }

  /// A field smoothed by a Gaussian of `sigma` cells; beyond the edge there is nothing.
  func smoothed(_ field: [Float], sigma: Float) -> [Float] {
    let reach = Int((sigma * 2.5).rounded(.up))
    let weights = (-reach...reach).map { expf(-Float($0 * $0) / (2 * sigma * sigma)) }
    let total = weights.reduce(0, +)
    var across = [Float](repeating: 0, count: count)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum: Float = 0
        for k in max(-reach, -column)...min(reach, columns - 1 - column) {
          sum += weights[k + reach] * field[row * columns + column + k]
        }
        across[row * columns + column] = sum / total
      }
    }
    var result = [Float](repeating: 0, count: count)
    for row in 0..<rows {
      for k in max(-reach, -row)...min(reach, rows - 1 - row) {
        let weight = weights[k + reach] / total
        for column in 0..<columns {
          result[row * columns + column] += weight * across[(row + k) * columns + column]
        }
      }
    }
    return result
  }
}
