/// Opaque coloured pixels, row-major from the top left.
package struct Raster: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height` values `0x00RRGGBB`.
  package private(set) var pixels: [UInt32]

  /// A raster of one colour; its opacity does not count.
  ///
  /// - Precondition: Both sides are in 1...``Drawing/maximumSide``.
  package init(width: Int, height: Int, filledWith colour: Colour = .white) {
    precondition((1...Drawing.maximumSide).contains(width), "a raster \(width) pixels wide")
    precondition((1...Drawing.maximumSide).contains(height), "a raster \(height) pixels high")
    self.width = width
    self.height = height
    pixels = Array(repeating: Self.packed(colour), count: width * height)
  }

  /// A raster whose pixels are computed.
  ///
  /// - Parameters:
  ///   - width: Pixels in a row.
  ///   - height: Rows.
  ///   - colour: The colour of the pixel in column x, row y; its opacity does not count.
  package init(width: Int, height: Int, colour: (_ x: Int, _ y: Int) -> Colour) {
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { pixels[y * width + x] = Self.packed(colour(x, y)) }
    }
  }

  private static func packed(_ colour: Colour) -> UInt32 {
    func byte(_ part: Double) -> UInt32 { UInt32((min(max(part, 0), 1) * 255).rounded()) }
    return byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue)
  }
}
