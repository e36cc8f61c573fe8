internal import Glibc

/// The wave that the ridges of each cell look like: its orientation and its period.
///
/// Ridges are locally a plane wave, so a cell needs only the direction across its ridges and their
/// distance (Larkin and Fletcher, "A coherent framework for fingerprint analysis", 2007).
struct RidgeWave: Sendable {
  /// The periods in pixels at 500 ppi that ridges have: 0.23 mm (a child's) to 0.8 mm.
  static let periods: ClosedRange<Float> = 4.5...16
  /// The period assumed before any is measured: 9 pixels, 0.46 mm, an adult's mean.
  static let usualPeriod: Float = 9

  let grid: CellGrid
  /// Direction along the ridges, radians in 0..<π, x right and y down.
  var orientation: [Float]
  /// How much the gradients around the cell agree, 0...1.
  var coherence: [Float]
  /// Distance from ridge to ridge, in pixels.
  var period: [Float]

  /// Orientation by the structure tensor: the principal axis of the gradients around a cell (Bazen
  /// and Gerez, "Systematic methods for the computation of the directional fields and singular
  /// points of fingerprints", 2002, section 2).
  ///
  /// - Parameters:
  ///   - image: The normalized image at half resolution.
  ///   - seen: Where it shows skin; the edge of that is not a gradient.
  ///   - sigma: Width of the Gaussian neighborhood, in cells.
  init(gradientsOf image: HalvedPlane, seen: SeenArea, sigma: Float) {
    let grid = image.grid
    var tensors = [SIMD4<Float>](repeating: .zero, count: grid.count)
    let samples = image.samples.span
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        if seen.shares[row * grid.columns + column] == 0 { continue }
        if !seen.isWhole, !grid.isFull(seen.shares, around: column, row) {
          tensors[row * grid.columns + column] = Self.tensor(of: image, seen, column, row)
          continue
        }
        let corner = image.index(column * HalvedPlane.cellSide - 1, row * HalvedPlane.cellSide - 1)
        tensors[row * grid.columns + column] = Self.tensor(
          samples, from: corner, stride: image.stride)
      }
    }
    self.init(grid: grid, tensors: grid.smoothed(tensors, sigma: sigma))
  }

  /// The sum of the gradients' squares over a cell of four by four: gx² - gy², 2 gx gy, gx² + gy².
  ///
  /// The gradients are by Scharr's kernel, whose direction is true to a fraction of a degree at
  /// these periods: differences across three columns, and three columns weighted 3, 10 and 3.
  @inline(__always)
  private static func tensor(_ samples: Span<Float>, from corner: Int, stride: Int) -> SIMD4<Float>
  {
    var differences = InlineArray<6, SIMD4<Float>>(repeating: .zero)
    var sums = InlineArray<6, SIMD4<Float>>(repeating: .zero)
    for row in 0..<6 {
      let window = samples.window(from: corner + row * stride, length: 6)
      let (left, middle, right) = (window.four(at: 0), window.four(at: 1), window.four(at: 2))
      differences[row] = right - left
      sums[row] = 3 * (left + right) + 10 * middle
    }
    var (xx, xy, yy) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    for row in 1...4 {
      let gx = 3 * (differences[row - 1] + differences[row + 1]) + 10 * differences[row]
      let gy = sums[row + 1] - sums[row - 1]
      xx += gx * gx
      xy += gx * gy
      yy += gy * gy
    }
    return SIMD4((xx - yy).sum(), 2 * xy.sum(), (xx + yy).sum(), 0)
  }

  /// The same, of the gradients that use only seen samples.
  private static func tensor(
    of image: HalvedPlane, _ seen: SeenArea, _ column: Int, _ row: Int
  ) -> SIMD4<Float> {
    let side = HalvedPlane.cellSide
    let samples = image.samples.span
    var sum = SIMD4<Float>.zero
    for y in row * side..<(row + 1) * side {
      for x in column * side..<(column + 1) * side where seen.containsAll(around: x, y) {
        let at = image.index(x, y)
        let (above, below) = (at - image.stride, at + image.stride)
        let gx =
          3 * (samples[above + 1] - samples[above - 1] + samples[below + 1] - samples[below - 1])
          + 10 * (samples[at + 1] - samples[at - 1])
        let gy =
          3 * (samples[below - 1] - samples[above - 1] + samples[below + 1] - samples[above + 1])
          + 10 * (samples[below] - samples[above])
        sum += SIMD4(gx * gx - gy * gy, 2 * gx * gy, gx * gx + gy * gy, 0)
      }
    }
    return sum
  }

  /// The principal axes of smoothed tensors (x: difference, y: product, z: energy).
  private init(grid: CellGrid, tensors: [SIMD4<Float>]) {
    self.grid = grid
    orientation = [Float](repeating: .pi / 2, count: grid.count)
    coherence = [Float](repeating: 0, count: grid.count)
    period = [Float](repeating: Self.usualPeriod, count: grid.count)
    for cell in 0..<grid.count where tensors[cell].z > 1e-6 {
      let (difference, product) = (tensors[cell].x, tensors[cell].y)
      orientation[cell] = Self.wrapped(0.5 * atan2f(product, difference) + .pi / 2)
      let length = (difference * difference + product * product).squareRoot()
      coherence[cell] = min(length / tensors[cell].z, 1)
    }
  }

  /// Orientation and period by how the phase of filtered ridges advances from sample to sample.
  ///
  /// - Parameters:
  ///   - image: The normalized image at half resolution.
  ///   - blurred: The same, blurred by the filters' envelope.
  ///   - guess: What the filters are tuned to.
  ///   - cells: Cells to filter; the others get no weight.
  ///   - sigma: Width of the Gaussian neighborhood, in cells.
  init(
    phaseOf image: HalvedPlane, blurred: HalvedPlane, tunedTo guess: RidgeWave,
    where cells: [Bool], sigma: Float
  ) {
    let grid = image.grid
    let envelope = GaborEnvelope.halved
    // x: difference, y: product, z: energy, w: advance of the phase, each times energy.
    var tensors = [SIMD4<Float>](repeating: .zero, count: grid.count)
    for row in 0..<grid.rows {
      for column in 0..<grid.columns where cells[row * grid.columns + column] {
        let cell = row * grid.columns + column
        let filter = GaborFilter(
          orientation: guess.orientation[cell], period: guess.period[cell] / 2, envelope: envelope)
        let advance = PhaseAdvance(column, row, of: image, blurred: blurred, filter: filter)
        let (kx, ky) = (advance.right / 2, advance.down / 2)
        let square = kx * kx + ky * ky
        guard square > 1e-4 else { continue }
        tensors[cell] =
          advance.weight
          * SIMD4((kx * kx - ky * ky) / square, 2 * kx * ky / square, 1, square.squareRoot())
      }
    }
    self.init(grid: grid, tensors: grid.smoothed(tensors, sigma: sigma))
    // The period changes more slowly than the orientation.
    let wide = grid.smoothed(tensors, sigma: sigma * 2)
    for cell in 0..<grid.count where wide[cell].z > 1e-6 {
      let found = 2 * Float.pi * wide[cell].z / max(wide[cell].w, 1e-6)
      period[cell] = min(max(found, Self.periods.lowerBound), Self.periods.upperBound)
    }
  }

  /// The direction along the ridges at a pixel, radians in -π...π: of the two opposite ones that
  /// closer to `guess`.
  func direction(at x: Float, _ y: Float, near guess: Float) -> Float {
    let column = x / Float(CellGrid.side) - 0.5
    let row = y / Float(CellGrid.side) - 0.5
    var (cosine, sine) = (Float(0), Float(0))
    for cy in 0...1 {
      for cx in 0...1 {
        let (down, right) = (floorf(row) + Float(cy), floorf(column) + Float(cx))
        let r = min(max(Int(down), 0), grid.rows - 1)
        let c = min(max(Int(right), 0), grid.columns - 1)
        let weight = (1 - abs(right - column)) * (1 - abs(down - row))
        let angle = 2 * orientation[r * grid.columns + c]
        cosine += weight * cosf(angle)
        sine += weight * sinf(angle)
      }
    }
    let angle = 0.5 * atan2f(sine, cosine)
    return Angle.wrapped(cosf(angle - guess) >= 0 ? angle : angle + .pi)
  }

  /// An orientation brought into 0..<π.
  static func wrapped(_ orientation: Float) -> Float {
    let turned = orientation - (orientation / .pi).rounded(.down) * .pi
    return turned < .pi ? turned : 0
  }
}

/// How far the phase of the filtered ridges advances over a cell, from sample to sample.
///
/// At half resolution two samples are two pixels apart, less than half the shortest period, so the
/// advance is not ambiguous.
private struct PhaseAdvance {
  /// Mean advance to the next sample on the right, radians in -π...π.
  let right: Float
  /// Mean advance to the next sample below, radians in -π...π.
  let down: Float
  /// How strong the ridges are, and how much the advances agree.
  let weight: Float

  init(
    _ column: Int, _ row: Int, of image: HalvedPlane, blurred: HalvedPlane, filter: GaborFilter
  ) {
    let (x, y) = (column * HalvedPlane.cellSide, row * HalvedPlane.cellSide)
    let reach = GaborEnvelope.halvedReach
    // The cell's four rows, and four more above and below.
    let rows: InlineArray<12, GaborFilter.Answers> = filter.alongRows(
      of: image.samples.span, from: image.index(x - reach, y - reach), stride: image.stride,
      reach: GaborEnvelope.halvedReach)
    var answers: InlineArray<4, GaborFilter.Answers> = filter.alongColumns(
      of: rows, reach: GaborEnvelope.halvedReach)
    let slow = blurred.samples.span
    for k in answers.indices {
      answers[k].even -= filter.offset * slow.four(at: blurred.index(x, y + k))
    }
    // Sums of each sample's conjugate times its neighbor; weak samples count less.
    var (rightReal, rightImaginary) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var (downReal, downImaginary) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for k in answers.indices {
      let (real, imaginary) = (answers[k].even, answers[k].odd)
      // The last column has no neighbor in the cell.
      let nextReal = SIMD4(real.y, real.z, real.w, 0)
      let nextImaginary = SIMD4(imaginary.y, imaginary.z, imaginary.w, 0)
      rightReal += real * nextReal + imaginary * nextImaginary
      rightImaginary += real * nextImaginary - imaginary * nextReal
      guard k + 1 < answers.count else { break }
      downReal += real * answers[k + 1].even + imaginary * answers[k + 1].odd
      downImaginary += real * answers[k + 1].odd - imaginary * answers[k + 1].even
    }
    let (real, imaginary) = (rightReal.sum(), rightImaginary.sum())
    right = atan2f(imaginary, real)
    down = atan2f(downImaginary.sum(), downReal.sum())
    weight = (real * real + imaginary * imaginary).squareRoot()
  }
}
