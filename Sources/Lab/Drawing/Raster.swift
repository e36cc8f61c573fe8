/// Opaque colored pixels, row-major from the top left.
package struct Raster: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height` values `0x00RRGGBB`.
  package private(set) var pixels: [UInt32]

  /// A raster of one color; its opacity does not count.
  ///
  /// - Precondition: Both sides are in 1...``Drawing/maximumSide``.
  package init(width: Int, height: Int, filledWith color: Color = .white) {
    precondition((1...Drawing.maximumSide).contains(width), "a raster \(width) pixels wide")
    precondition((1...Drawing.maximumSide).contains(height), "a raster \(height) pixels high")
    (self.width, self.height) = (width, height)
    pixels = Array(repeating: Self.packed(color), count: width * height)
  }

  /// A raster whose pixels are computed.
  ///
  /// - Parameters:
  ///   - width: Pixels in a row.
  ///   - height: Rows.
  ///   - color: The color of the pixel in column x, row y; its opacity does not count.
  package init(width: Int, height: Int, color: (_ x: Int, _ y: Int) -> Color) {
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { pixels[y * width + x] = Self.packed(color(x, y)) }
    }
  }

  private static func packed(_ color: Color) -> UInt32 {
    func byte(_ part: Double) -> UInt32 { UInt32((min(max(part, 0), 1) * 255).rounded()) }
    return byte(color.red) << 16 | byte(color.green) << 8 | byte(color.blue)
  }
}
