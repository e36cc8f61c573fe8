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
