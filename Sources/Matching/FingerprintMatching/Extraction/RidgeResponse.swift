/// The response of filters tuned to each cell's ridges: the ridges without noise, as a wave.
///
/// At each pixel even + i odd is a complex number. Its length says how much the image there looks
/// like ridges; its phase says where between two ridges the pixel lies (0 on a ridge).
struct RidgeResponse: Sendable {
  let grid: CellGrid
  let width: Int
  let height: Int
  let even: [Float]
  let odd: [Float]
  /// The orientation of each cell's filter, radians in 0..<π; the phase falls across it.
  private(set) var tuning: [Float]
  /// The sum of the squared lengths of each cell's responses.
  private(set) var energy: [Float]

  /// - Parameters:
  ///   - image: The normalized image.
  ///   - blurred: The same, halved and blurred by the filters' envelope.
  ///   - wave: Orientation and period to tune to.
  ///   - cells: Cells to filter; elsewhere the response is 0.
  init(filtering image: Plane, blurred: HalvedPlane, tunedTo wave: RidgeWave, where cells: [Bool]) {
    let grid = wave.grid
    self.grid = grid
    width = image.width
    height = image.height
    tuning = [Float](repeating: 0, count: grid.count)
    energy = tuning
    var even = [Float](repeating: 0, count: image.width * image.height)
    var odd = [Float](repeating: 0, count: image.width * image.height)
    var evens = even.mutableSpan
    var odds = odd.mutableSpan
    let envelope = GaborEnvelope.full
    var surroundings = CellSurroundings()
    for row in 0..<grid.rows {
      for column in 0..<grid.columns where cells[row * grid.columns + column] {
        let cell = row * grid.columns + column
        let filter = GaborFilter(
          orientation: wave.orientation[cell], period: wave.period[cell], envelope: envelope)
        tuning[cell] = wave.orientation[cell]
        let block = Block(column: column, row: row, width: width, height: height)
        if CellSurroundings.areInside(column, row, of: image) {
          let corner = block.first - GaborEnvelope.reach * (width + 1)
          energy[cell] = block.fill(
            &evens, &odds, filter, image.samples.span, from: corner, stride: width, blurred)
        } else {
          surroundings.copy(column, row, of: image)
          energy[cell] = block.fill(
            &evens, &odds, filter, surroundings.samples.span, from: 0,
            stride: CellSurroundings.side, blurred)
        }
      }
    }
    (self.even, self.odd) = (even, odd)
  }
}

/// The pixels of a cell, filtered four columns at a time.
private struct Block {
  let column: Int
  let row: Int
  let width: Int
  let height: Int

  /// The index of the first pixel.
  var first: Int { (row * width + column) * CellGrid.side }

  /// Writes the response of a filter and returns the sum of its squared lengths.
  ///
  /// In `samples`, `corner` is as far left of and above the first pixel as the filter reaches, and
  /// rows are `stride` samples apart.
  func fill(
    _ even: inout MutableSpan<Float>, _ odd: inout MutableSpan<Float>, _ filter: GaborFilter,
    _ samples: Span<Float>, from corner: Int, stride: Int, _ blurred: HalvedPlane
  ) -> Float {
    let slow = blurred.samples.span
    var energy = SIMD4<Float>.zero
    for left in [0, 4] where column * CellGrid.side + left < width {
      // The cell's eight rows, and seven more above and below.
      let rows: InlineArray<22, GaborFilter.Answers> = filter.alongRows(
        of: samples, from: corner + left, stride: stride, reach: GaborEnvelope.reach)
      let answers: InlineArray<8, GaborFilter.Answers> = filter.alongColumns(
        of: rows, reach: GaborEnvelope.reach)
      let left = column * CellGrid.side + left
      var at = first - column * CellGrid.side + left
      for y in CellGrid.pixels(of: row, length: height) {
        let half = blurred.index(left / 2, y / 2)
        let constant = SIMD4(slow[half], slow[half], slow[half + 1], slow[half + 1])
        let answer = answers.span[y % CellGrid.side]
        let real = answer.even - filter.offset * constant
        if left + 4 <= width {
          even.set(real, at: at)
          odd.set(answer.odd, at: at)
          energy += real * real + answer.odd * answer.odd
        } else {
          for k in 0..<width - left {
            even[at + k] = real[k]
            odd[at + k] = answer.odd[k]
            energy[k] += real[k] * real[k] + answer.odd[k] * answer.odd[k]
          }
        }
        at += width
      }
    }
    return energy.sum()
  }
}

/// A cell and its surroundings as far as the filters reach; beyond the image the edge is repeated.
private struct CellSurroundings {
  static let side = CellGrid.side + 2 * GaborEnvelope.reach

  private(set) var samples = [Float](repeating: 0, count: side * side)

  /// Whether all surroundings of a cell are inside the image, so no copy is needed.
  static func areInside(_ column: Int, _ row: Int, of image: Plane) -> Bool {
    let (x, y) = (column * CellGrid.side, row * CellGrid.side)
    let after = CellGrid.side + GaborEnvelope.reach
    return x >= GaborEnvelope.reach && x + after <= image.width && y >= GaborEnvelope.reach
      && y + after <= image.height
  }

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
