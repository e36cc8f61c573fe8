internal import Glibc

/// Smooths fields of cells by a Gaussian; beyond the edge there is nothing. Keeps what it
/// allocates.
struct CellSmoothing: Sendable {
  private var kernel: [SIMD4<Float>] = []
  /// A row, and nothing for as far as the kernel reaches left and right.
  private var padded: [SIMD4<Float>] = []
  /// All rows smoothed along x, and nothing for as far as the kernel reaches above and below.
  private var across: [SIMD4<Float>] = []

  /// Smooths four fields together.
  ///
  /// - Parameters:
  ///   - fields: The fields of all cells.
  ///   - grid: The cells.
  ///   - sigma: Width of the Gaussian, in cells.
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

  /// Overwrites what is left of the fields.
  mutating func wipe() {
    padded.wipe(with: .zero)
    across.wipe(with: .zero)
  }
}

/// A cell and what the filters reach around it, repeated from the edge where the image ends.
struct CellSurroundings {
  static let side = CellGrid.side + 2 * GaborEnvelope.reach

  private(set) var samples = [Float](repeating: 0, count: side * side)

  /// Whether all of a cell's surroundings are inside the image, so that no copy is needed.
  static func areInside(_ column: Int, _ row: Int, of image: Plane) -> Bool {
    let (x, y) = (column * CellGrid.side, row * CellGrid.side)
    let after = CellGrid.side + GaborEnvelope.reach
    return x >= GaborEnvelope.reach && x + after <= image.width && y >= GaborEnvelope.reach
      && y + after <= image.height
  }

  /// Copies a cell's surroundings.
  mutating func copy(_ column: Int, _ row: Int, of image: Plane) {
    let left = column * CellGrid.side - GaborEnvelope.reach
    let above = row * CellGrid.side - GaborEnvelope.reach
    let inside = max(-left, 0)..<min(Self.side, image.width - left)
    let source = image.samples.span
    var target = samples.mutableSpan
    for y in 0..<Self.side {
      let from = min(max(above + y, 0), image.height - 1) * image.width
      let to = y * Self.side
      for x in inside { target[to &+ x] = source[from &+ left &+ x] }
      for x in 0..<inside.lowerBound { target[to + x] = source[from] }
      for x in inside.upperBound..<Self.side { target[to + x] = source[from + image.width - 1] }
    }
  }
}
