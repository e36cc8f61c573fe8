internal import Glibc

/// The cells of 8 by 8 pixels on which everything is kept that changes slowly over a print.
///
/// Eight pixels (0.4 mm) are a little less than one ridge period, and ridges bend faster only at a
/// core.
struct CellGrid: Hashable, Sendable {
  static let side = 8
  /// The most columns or rows: 52 mm.
  static let mostCells = WorkingImage.maximumSide / side
  /// Area of a cell on the finger, mm².
  static let cellArea = 0.4064 * 0.4064

  let columns: Int
  let rows: Int

  var count: Int { columns * rows }

  /// The cells that cover an image; the last ones may reach beyond it.
  init(width: Int, height: Int) {
    columns = (width + Self.side - 1) / Self.side
    rows = (height + Self.side - 1) / Self.side
  }

  init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  /// The pixels of a cell on an axis of `length` pixels.
  static func pixels(of cell: Int, length: Int) -> Range<Int> {
    cell * side..<min((cell + 1) * side, length)
  }

  /// Whether the share is 1 in a cell and in its up to eight neighbors.
  func isFull(_ shares: [Float], around column: Int, _ row: Int) -> Bool {
    for y in max(row - 1, 0)...min(row + 1, rows - 1) {
      for x in max(column - 1, 0)...min(column + 1, columns - 1) where shares[y * columns + x] < 1 {
        return false
      }
    }
    return true
  }

  /// Four fields at once, smoothed by a Gaussian of `sigma` cells; zero beyond the edge.
  func smoothed(_ fields: [SIMD4<Float>], sigma: Float) -> [SIMD4<Float>] {
    var smoothing = CellSmoothing()
    var result = fields
    smoothing.smooth(&result, on: self, sigma: sigma)
    return result
  }

  func smoothed(_ field: [Float], sigma: Float) -> [Float] {
    smoothed(field.map { SIMD4($0, 0, 0, 0) }, sigma: sigma).map { $0.x }
  }

  /// For each cell the sum over it and its up to eight neighbors.
  func summedWithNeighbors(_ field: [SIMD4<Float>]) -> [SIMD4<Float>] {
    var across = field
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        if column > 0 { across[cell] += field[cell - 1] }
        if column + 1 < columns { across[cell] += field[cell + 1] }
      }
    }
    var result = across
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        if row > 0 { result[cell] += across[cell - columns] }
        if row + 1 < rows { result[cell] += across[cell + columns] }
      }
    }
    return result
  }

  /// The sum of the squares of a plane's samples in each cell.
  func squares(_ samples: [Float], width: Int, height: Int) -> [Float] {
    var result = [Float](repeating: 0, count: count)
    let span = samples.span
    for row in 0..<rows {
      let ys = Self.pixels(of: row, length: height)
      for column in 0..<columns {
        let xs = Self.pixels(of: column, length: width)
        guard xs.count == Self.side else {
          for y in ys {
            for x in xs {
              let sample = span[y * width + x]
              result[row * columns + column] += sample * sample
            }
          }
          continue
        }
        var sum = SIMD4<Float>.zero
        var at = ys.lowerBound * width + xs.lowerBound
        for _ in ys {
          let eight = span.eight(at: at)
          let squares = eight * eight
          sum += squares.lowHalf + squares.highHalf
          at &+= width
        }
        result[row * columns + column] = sum.sum()
      }
    }
    return result
  }
}

/// Smooths fields of cells by a Gaussian; they are zero beyond the edge. Keeps its allocations.
struct CellSmoothing: Sendable {
  private var kernel: [SIMD4<Float>] = []
  /// A row, with zeros on both sides as wide as the kernel's reach.
  private var padded: [SIMD4<Float>] = []
  /// All rows smoothed along x, with zeros above and below.
  private var across: [SIMD4<Float>] = []

  /// Smooths four fields together by a Gaussian of `sigma` cells.
  mutating func smooth(_ fields: inout [SIMD4<Float>], on grid: CellGrid, sigma: Float) {
    let reach = Int((sigma * 2.5).rounded(.up))
    makeKernel(reach: reach, sigma: sigma)
    let (columns, rows) = (grid.columns, grid.rows)
    padded.fill(with: .zero, count: columns + 2 * reach, room: OrientationField.smallCells)
    across.fill(
      with: .zero, count: (rows + 2 * reach) * columns, room: 3 * OrientationField.smallCells)
    for row in 0..<rows {
      for column in 0..<columns { padded[reach + column] = fields[row * columns + column] }
      let start = (reach + row) * columns
      Self.fill(&across, start..<start + columns, weighing: padded, step: 1, by: kernel)
    }
    Self.fill(&fields, 0..<grid.count, weighing: across, step: columns, by: kernel)
  }

  private static func fill(
    _ target: inout [SIMD4<Float>], _ range: Range<Int>, weighing source: [SIMD4<Float>],
    step: Int, by kernel: [SIMD4<Float>]
  ) {
    var target = target.mutableSpan
    target.fill(range, weighing: source.span, step: step, by: kernel.span)
  }

  private mutating func makeKernel(reach: Int, sigma: Float) {
    kernel.removeAll(keepingCapacity: true)
    kernel.reserveCapacity(64)
    var total: Float = 0
    for k in -reach...reach {
      let weight = expf(-Float(k * k) / (2 * sigma * sigma))
      total += weight
      kernel.append(SIMD4(repeating: weight))
    }
    for k in kernel.indices { kernel[k] /= total }
  }

  /// Overwrites the remains of the fields.
  mutating func wipe() {
    padded.wipe(with: .zero)
    across.wipe(with: .zero)
  }
}
