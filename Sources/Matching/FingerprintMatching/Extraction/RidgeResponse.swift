/// What the filters tuned to each cell's ridges answer: the ridges without noise, as a wave.
///
/// At each pixel even + i odd is a complex number whose length says how much like ridges the image
/// is there and whose phase says where between two ridges the pixel lies (0 on a ridge).
struct RidgeResponse: Sendable {
  let grid: CellGrid
  let width: Int
  let height: Int
  let even: [Float]
  let odd: [Float]
  /// The orientation each cell's filter has, radians in 0..<π: the phase falls across it.
  private(set) var tuning: [Float]
  /// The sum over each cell of the squared lengths of its pixels' answers.
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

  /// Writes the answers of a filter and gives the sum of the squares of their lengths.
  ///
  /// In `samples`, `corner` is as far left of and above the first pixel as the filter reaches, and
  /// a row `stride` samples after the one before.
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
          even.setFour(real, at: at)
          odd.setFour(answer.odd, at: at)
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
