/// The stripes of a swipe in time order: one small image each, all of one size.
public struct StripeSeries: Sendable {
  /// Pixels in a row of a stripe.
  public let width: Int
  /// Rows of a stripe.
  public let height: Int
  /// Stripes.
  public let count: Int
  /// Stripe after stripe, row by row.
  let pixels: [UInt8]

  /// Takes `count` stripes of `width` by `height` pixels.
  public init(width: Int, height: Int, count: Int, pixels: [UInt8]) throws(AssemblyError) {
    try AssemblyError.check("width of a stripe", width, in: 1...AssemblyLimits.side)
    try AssemblyError.check("height of a stripe", height, in: 1...AssemblyLimits.side)
    try AssemblyError.check("number of stripes", count, in: 1...AssemblyLimits.stripes)
    let area = width * height
    try AssemblyError.check(
      "number of pixels of all stripes", area * count, in: 1...AssemblyLimits.pixels)
    guard pixels.count == area * count else {
      throw .pixelCount(expected: area * count, found: pixels.count)
    }
    (self.width, self.height, self.count, self.pixels) = (width, height, count, pixels)
  }

  /// Takes as many whole stripes as there are.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(AssemblyError) {
    try AssemblyError.check("width of a stripe", width, in: 1...AssemblyLimits.side)
    try AssemblyError.check("height of a stripe", height, in: 1...AssemblyLimits.side)
    try self.init(
      width: width, height: height, count: pixels.count / (width * height), pixels: pixels)
  }

  var area: Int { width * height }

  /// The mean difference of two pixels drawn by chance from all stripes (Gini's mean difference):
  /// what stripes that have nothing to do with each other differ by.
  var contrast: Double {
    let histogram = PixelMeasures.histogram(pixels)
    let total = Double(pixels.count)
    var below = 0.0
    var sum = 0.0
    for count in histogram.dropLast() {
      below += Double(count) / total
      sum += below * (1 - below)
    }
    return 2 * sum
  }
}
