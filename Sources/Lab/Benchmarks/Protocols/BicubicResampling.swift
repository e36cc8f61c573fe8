import GrayImage

/// Resampling with a cubic kernel (Keys, "Cubic convolution interpolation for digital image
/// processing", 1981, with a = -0.5), widened where the picture is reduced.
struct BicubicResampling {
  /// For each sample of the result, its first source sample and the weights from there.
  private let taps: [(first: Int, weights: [Double])]

  private init(from count: Int, to result: Int) {
    let scale = Double(count) / Double(result)
    let stretch = max(scale, 1)
    taps = (0..<result).map { index in
      let center = (Double(index) + 0.5) * scale
      let first = max(Int(center - 2 * stretch + 0.5), 0)
      let end = min(Int(center + 2 * stretch + 0.5), count)
      let weights = (first..<end).map { Self.kernel((Double($0) + 0.5 - center) / stretch) }
      let sum = weights.reduce(0, +)
      return (first, weights.map { $0 / sum })
    }
  }

  private static func kernel(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
    return 0
  }

  /// A picture at another resolution, its sides rounded to whole pixels, at least one.
  static func image(_ image: GrayImage, from ppi: Int, to wanted: Int) -> GrayImage {
    guard ppi != wanted else { return image }
    func side(_ side: Int) -> Int {
      let pixels = Int(Double(side) * Double(wanted) / Double(ppi) + 0.5)
      return min(max(pixels, 1), GrayImage.maximumSide)
    }
    let across = BicubicResampling(from: image.width, to: side(image.width))
    let down = BicubicResampling(from: image.height, to: side(image.height))
    let (width, height) = (across.taps.count, down.taps.count)
    var rows = [UInt8](repeating: 0, count: width * image.height)
    for y in 0..<image.height {
      for (x, tap) in across.taps.enumerated() {
        rows[y * width + x] = level(tap) { image.pixels[y * image.width + $0] }
      }
    }
    var pixels = [UInt8](repeating: 0, count: width * height)
    for (y, tap) in down.taps.enumerated() {
      for x in 0..<width { pixels[y * width + x] = level(tap) { rows[$0 * width + x] } }
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }

  private static func level(
    _ tap: (first: Int, weights: [Double]), _ source: (Int) -> UInt8
  ) -> UInt8 {
    var sum = 0.0
    for (offset, weight) in tap.weights.enumerated() {
      sum += weight * Double(source(tap.first + offset))
    }
    return UInt8(min(max(sum, 0), 255).rounded())
  }
}
