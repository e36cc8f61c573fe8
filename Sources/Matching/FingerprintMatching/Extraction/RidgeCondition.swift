/// How the ridges of a touch look, whatever finger they are of.
package struct RidgeCondition: Hashable, Sendable {
  /// How much of what is seen is a plane wave of one direction, the mean over the ridges, 0...1.
  package let clarity: Double
  /// How alike in strength the ridge wave is everywhere, 0...1.
  ///
  /// (Σ a)² / (n Σ a²) of the wave's amplitudes a in n cells: 1 where all are equal, p where ridges
  /// are seen in a share p of the cells and broken up or smeared in the others.
  package let evenness: Double
  /// Skewness of the gray levels over the ridges, local shade and contrast taken away.
  ///
  /// Positive where thin dark lines run through white (dry skin), negative where thin white lines
  /// run through black (wet skin), and 0 where ridges and valleys are equally wide. Synthetic
  /// prints have 0.36 - moisture, 0.07 up or down.
  package let skewness: Double
  /// Share of the sensor's window that shows ridges, 0...1.
  package let windowShare: Double
  /// Where the window cuts the print off.
  package let cut: CutSides
}

extension RidgeCondition {
  /// Measures the ridges of an image.
  ///
  /// - Parameters:
  ///   - image: The normalized image.
  ///   - response: What the filters answered.
  ///   - map: Where there are ridges.
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

  /// Takes in a cell; one that reaches beyond the image is left out.
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

  /// The third central moment in units of the standard deviation; 0 where nothing varies.
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
