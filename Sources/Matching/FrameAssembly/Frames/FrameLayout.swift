/// How the pixels of a frame lie: the bits of `ac_frame.flags`. Empty: upright, ridges dark.
public struct FrameLayout: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Wraps bits, known or not.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Ridges are bright.
  public static let inverted = FrameLayout(rawValue: 1 << 0)
  /// Mirrored left to right.
  public static let flippedHorizontally = FrameLayout(rawValue: 1 << 1)
  /// Upside down.
  public static let flippedVertically = FrameLayout(rawValue: 1 << 2)

  /// Every bit that means something.
  static let known: FrameLayout = [.inverted, .flippedHorizontally, .flippedVertically]

  /// Writes rows of `width` pixels upright with dark ridges.
  ///
  /// - Parameters:
  ///   - pixels: Whole rows.
  ///   - width: Pixels in a row, at least 1.
  ///   - upright: Room for as many pixels.
  public func turn(
    _ pixels: Span<UInt8>, width: Int, into upright: inout MutableSpan<UInt8>
  ) {
    let rows = pixels.count / width
    let mask: UInt8 = contains(.inverted) ? 0xff : 0
    for row in 0..<rows {
      let source = (contains(.flippedVertically) ? rows - 1 - row : row) * width
      let target = row * width
      if contains(.flippedHorizontally) {
        for column in 0..<width {
          upright[target + column] = pixels[source + width - 1 - column] ^ mask
        }
      } else {
        for column in 0..<width { upright[target + column] = pixels[source + column] ^ mask }
      }
    }
  }

  /// An image of rows of `width` pixels as a person would look at it.
  ///
  /// - Throws: ``AssemblyError`` when the pixels are no whole rows.
  public func applied(to pixels: [UInt8], width: Int) throws(AssemblyError) -> [UInt8] {
    try AssemblyError.check("width of the image", width, in: 1...AssemblyLimits.side)
    guard pixels.count.isMultiple(of: width) else {
      throw .pixelCount(expected: pixels.count / width * width, found: pixels.count)
    }
    var result = [UInt8](repeating: 0, count: pixels.count)
    var span = result.mutableSpan
    turn(pixels.span, width: width, into: &span)
    return result
  }
}
