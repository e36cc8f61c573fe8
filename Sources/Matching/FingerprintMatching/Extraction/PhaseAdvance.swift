internal import Glibc

/// How far the phase of the filtered ridges advances over a cell, from sample to sample.
///
/// At half resolution two samples are two pixels apart, less than half the shortest period, so
/// that the advance is not ambiguous.
struct PhaseAdvance {
  /// Mean advance to the next sample on the right, radians in -π...π.
  let right: Float
  /// Mean advance to the next sample below, radians in -π...π.
  let down: Float
  /// How strong the ridges are and how much the advances agree.
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
    // Sums of each sample's conjugate times its neighbor, the weakest counting least.
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
