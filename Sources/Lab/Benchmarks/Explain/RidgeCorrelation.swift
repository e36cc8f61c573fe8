/// How alike two pictures are around each pixel: the correlation of their samples in a square
/// window, without taking off a mean, since ridges have none.
struct RidgeCorrelation {
  private let width: Int
  private let values: [Double?]

  /// - Parameters:
  ///   - width: Pixels in a row.
  ///   - height: Rows.
  ///   - reach: Half the window's side, pixels.
  ///   - first: The samples of one picture, 0 where it shows nothing.
  ///   - second: Those of the other.
  init(
    width: Int, height: Int, reach: Int, first: (Int, Int) -> Double,
    second: (Int, Int) -> Double
  ) {
    // Sums over all pixels left of and above each, so that a window's sum is four of them.
    var sums = [SIMD4<Double>](repeating: .zero, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row = SIMD4<Double>.zero
      for x in 0..<width {
        let (a, b) = (first(x, y), second(x, y))
        let isSeen = a != 0 && b != 0
        row += isSeen ? SIMD4(a * b, a * a, b * b, 1) : .zero
        sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row
      }
    }
    var values: [Double?] = []
    values.reserveCapacity(width * height)
    let least = Double(reach * reach)
    for y in 0..<height {
      let (top, bottom) = (max(y - reach, 0), min(y + reach, height))
      for x in 0..<width {
        let (left, right) = (max(x - reach, 0), min(x + reach, width))
        let sum =
          sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right]
          - sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left]
        let isSeen = sum[3] >= least && first(x, y) != 0 && second(x, y) != 0
        values.append(isSeen ? sum[0] / (sum[1] * sum[2]).squareRoot() : nil)
      }
    }
    (self.width, self.values) = (width, values)
  }

  /// -1...1; nil where too little of both pictures is seen.
  subscript(x: Int, y: Int) -> Double? { values[y * width + x] }
}
