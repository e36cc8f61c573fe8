/// How the ridges of a touch look, whatever finger they are of.
package struct RidgeCondition: Hashable, Sendable {
  /// How much of the image is a plane wave of one direction, the mean over the ridges, 0...1.
  package let clarity: Double
  /// How alike in strength the ridge wave is everywhere, 0...1.
  ///
  /// (Σ a)² / (n Σ a²) of the wave's amplitudes a in n cells: 1 if all are equal, p if ridges are
  /// seen in a share p of the cells and broken up or smeared in the others.
  package let evenness: Double
  /// Skewness of the gray levels over the ridges, without local shade and contrast.
  ///
  /// Positive if thin dark lines run through white (dry skin), negative if thin white lines run
  /// through black (wet skin), 0 if ridges and valleys are equally wide. Synthetic prints have 0.36
  /// - moisture, ± 0.07.
  package let skewness: Double
  /// Share of the sensor's window that shows ridges, 0...1.
  package let windowShare: Double
  package let cut: CutSides
}

extension RidgeCondition {
  /// Measures the ridges of a normalized image.
  init(of image: Plane, response: RidgeResponse, map: RidgeMap) {
    let grid = map.grid
    var (cells, clarity, energy, amplitude) = (Float(0), Float(0), Float(0), Float(0))
    var moments = GrayMoments()
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let cell = row * grid.columns + column
        guard map.isRidges[cell] else { continue }
        cells += 1
        clarity += map.clarity[cell]
        energy += response.energy[cell]
        amplitude += response.energy[cell].squareRoot()
        moments.add(cell: column, row, of: image)
      }
    }
    self.clarity = Double(clarity / max(cells, 1))
    evenness = energy > 0 ? Double(min(amplitude * amplitude / (cells * energy), 1)) : 0
    skewness = moments.skewness
    let shown = Double(cells) * Double(CellGrid.side * CellGrid.side)
    windowShare = min(shown / Double(image.width * image.height), 1)
    cut = CutSides(map)
  }
}

/// Sums of the powers of gray levels.
private struct GrayMoments {
  private var count = 0
  private var first = SIMD8<Float>.zero
  private var second = SIMD8<Float>.zero
  private var third = SIMD8<Float>.zero

  /// Adds a cell, unless it reaches beyond the image.
  @inline(__always)
  mutating func add(cell column: Int, _ row: Int, of image: Plane) {
    let (left, top) = (column * CellGrid.side, row * CellGrid.side)
    guard left + CellGrid.side <= image.width, top + CellGrid.side <= image.height else { return }
    let samples = image.samples.span
    var at = top * image.width + left
    for _ in 0..<CellGrid.side {
      let eight = samples.eight(at: at)
      let squares = eight * eight
      first += eight
      second += squares
      third += squares * eight
      at &+= image.width
    }
    count += CellGrid.side * CellGrid.side
  }

  /// The third central moment in units of the standard deviation; 0 if nothing varies.
  var skewness: Double {
    guard count > 0 else { return 0 }
    let mean = Double(first.sum()) / Double(count)
    let square = Double(second.sum()) / Double(count)
    let variance = square - mean * mean
    guard variance > 1e-6 else { return 0 }
    let cube = Double(third.sum()) / Double(count)
    let central = cube - 3 * mean * square + 2 * mean * mean * mean
    return central / (variance * variance.squareRoot())
  }
}

/// How much of a print the sensor's window cuts off at each side: of the rows (or columns) that
/// show ridges, the share in which they continue to the window's edge. 0 if the finger ends before
/// it.
package struct CutSides: Hashable, Sendable {
  package let left: Double
  package let right: Double
  package let top: Double
  package let bottom: Double

  /// Cells from the edge within which ridges count as reaching it: tidying removes nearer ones.
  private static let margin = 2

  /// What both of two touches cut off: a side that one of them shows is known.
  func common(with other: CutSides) -> CutSides {
    CutSides(
      left: min(left, other.left), right: min(right, other.right), top: min(top, other.top),
      bottom: min(bottom, other.bottom))
  }
}

extension CutSides {
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
}
