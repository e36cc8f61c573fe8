import GrayImage

/// Where in an image the finger is: where gray levels vary, cleaned of what is small.
///
/// The steps and figures are those of the patch protocol (docs/accuracy.md, "Small sensors").
struct FingerForeground {
  /// Side of the window in which gray levels are compared, in pixels.
  static let window = 17
  /// Least standard deviation of gray levels in the window.
  static let leastDeviation = 8.0
  /// The same as a share of the image's 95th percentile of it.
  static let leastShare = 0.35
  /// Side of the square by which the mask is closed and opened, in pixels.
  static let cleaning = 17

  let width: Int
  let height: Int
  /// Whether each pixel shows the finger, row after row.
  let mask: [Bool]

  /// The mean of the pixels that show the finger; nil where none does.
  var middle: SIMD2<Double>? {
    var (sum, count) = (SIMD2(0, 0), 0)
    for index in mask.indices where mask[index] {
      sum &+= SIMD2(index % width, index / width)
      count += 1
    }
    return count > 0 ? SIMD2(Double(sum.x), Double(sum.y)) / Double(count) : nil
  }

  /// Finds the finger.
  init(of image: GrayImage) {
    width = image.width
    height = image.height
    let deviations = Self.deviations(of: image)
    let limit = max(Self.leastDeviation, Self.leastShare * Self.percentile95(of: deviations))
    var mask = Mask(width: width, height: height, isSet: deviations.map { $0 >= limit })
    mask = mask.dilated(by: Self.cleaning).eroded(by: Self.cleaning)
    mask = mask.eroded(by: Self.cleaning).dilated(by: Self.cleaning)
    self.mask = mask.largestPart.isSet
  }

  private static func deviations(of image: GrayImage) -> [Double] {
    let levels = image.pixels.map(Int.init)
    let sums = SummedArea(width: image.width, height: image.height, values: levels)
    let squares = SummedArea(
      width: image.width, height: image.height, values: levels.map { $0 * $0 })
    return levels.indices.map { index in
      let (x, y) = (index % image.width, index / image.width)
      let (sum, count) = sums.sum(around: x, y, side: window)
      // In whole numbers, so that the mask is the same everywhere.
      let spread = squares.sum(around: x, y, side: window).sum * count - sum * sum
      return (Double(spread) / Double(count * count)).squareRoot()
    }
  }

  /// With straight lines between the values.
  private static func percentile95(of values: [Double]) -> Double {
    let sorted = values.sorted()
    let place = 0.95 * Double(sorted.count - 1)
    let index = Int(place)
    let next = min(index + 1, sorted.count - 1)
    return sorted[index] + (place - Double(index)) * (sorted[next] - sorted[index])
  }
}
