// GrayImage: 8-bit gray pictures, and the binary PGM files they travel in.

/// An 8-bit gray picture: 0 is black (a ridge), 255 white; row-major from the top left, no padding.
package struct GrayImage: Hashable, Sendable {
  /// The greatest side of a picture, in pixels; a larger one is refused before anything is
  /// allocated.
  package static let maximumSide = 4096

  package let width: Int
  package let height: Int

  /// `width * height` values; pixel (x, y) is at `y * width + x`.
  package let pixels: [UInt8]

  /// - Precondition: Both sides are in 1...`maximumSide` and `pixels.count == width * height`.
  ///   Bytes from outside go through ``init(decodingPGM:)-(Span<UInt8>)``, which checks instead.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition((1...Self.maximumSide).contains(width), "width \(width) is out of range")
    precondition((1...Self.maximumSide).contains(height), "height \(height) is out of range")
    precondition(
      pixels.count == width * height, "\(width)x\(height) needs other than \(pixels.count) pixels")
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// - Precondition: `x` and `y` are inside the picture.
  package subscript(x x: Int, y y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "(\(x), \(y)) is outside")
    return pixels[y * width + x]
  }

  /// The part of the picture whose top left pixel is (`x`, `y`).
  ///
  /// - Precondition: The part is not empty and lies inside the picture.
  package func cropped(x: Int, y: Int, width: Int, height: Int) -> GrayImage {
    precondition(x >= 0 && width > 0 && x <= self.width - width, "columns outside the picture")
    precondition(y >= 0 && height > 0 && y <= self.height - height, "rows outside the picture")
    var part: [UInt8] = []
    part.reserveCapacity(width * height)
    for row in y..<(y + height) {
      let start = row * self.width + x
      part.append(contentsOf: pixels[start..<(start + width)])
    }
    return GrayImage(width: width, height: height, pixels: part)
  }
}
