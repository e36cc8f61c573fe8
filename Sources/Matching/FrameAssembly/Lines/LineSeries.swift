/// The lines of a swipe over a sensor of two rows, in time order.
public struct LineSeries: Sendable {
  /// Pixels of a line.
  public let width: Int
  /// Lines.
  public let count: Int
  /// Line after line.
  let pixels: [UInt8]

  /// Takes `count` lines of `width` pixels; at least two.
  public init(width: Int, count: Int, pixels: [UInt8]) throws(AssemblyError) {
    try AssemblyError.check("width of a line", width, in: 1...AssemblyLimits.side)
    try AssemblyError.check("number of lines", count, in: 2...AssemblyLimits.lines)
    try AssemblyError.check(
      "number of pixels of all lines", width * count, in: 1...AssemblyLimits.pixels)
    guard pixels.count == width * count else {
      throw .pixelCount(expected: width * count, found: pixels.count)
    }
    self.width = width
    self.count = count
    self.pixels = pixels
  }
}
