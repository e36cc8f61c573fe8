/// A gray fingerprint image: 0 is black and a ridge, 255 is white and a valley.
///
/// Pixels are row-major without padding, the first row at the finger's tip.
package struct FingerprintImage: Sendable {
  /// Width in pixels, 1...4096.
  package let width: Int
  /// Height in pixels, 1...4096.
  package let height: Int
  /// Resolution in pixels per inch, 100...2000.
  package let pixelsPerInch: Int
  /// `width * height` gray levels.
  package let pixels: [UInt8]
  /// For each row, the columns in which the sensor could see skin; nil where nobody says.
  ///
  /// What lies outside is no valley: a ridge that is cut off there does not end.
  package let extents: [Range<Int>]?

  /// The sides an image may have, in pixels.
  package static let sides = 1...4096
  /// The resolutions an image may have, in pixels per inch.
  package static let resolutions = 100...2000

  /// Takes an image as a sensor delivered it.
  ///
  /// - Parameters:
  ///   - width: Width in pixels, 1...4096.
  ///   - height: Height in pixels, 1...4096.
  ///   - pixelsPerInch: Resolution, 100...2000.
  ///   - pixels: `width * height` gray levels, row-major.
  ///   - extents: For each row the columns that the sensor's window or a swipe fills, maybe none;
  ///     nil where the driver does not say.
  /// - Throws: ``FingerprintImageError`` naming the first value that is out of range.
  package init(
    width: Int, height: Int, pixelsPerInch: Int, pixels: [UInt8], extents: [Range<Int>]? = nil
  ) throws(FingerprintImageError) {
    guard Self.sides.contains(width), Self.sides.contains(height) else {
      throw .unsupportedSize(width: width, height: height)
    }
    guard Self.resolutions.contains(pixelsPerInch) else {
      throw .unsupportedResolution(pixelsPerInch: pixelsPerInch)
    }
    guard pixels.count == width * height else {
      throw .wrongPixelCount(expected: width * height, found: pixels.count)
    }
    if let extents {
      guard extents.count == height else {
        throw .wrongExtentCount(expected: height, found: extents.count)
      }
      if let row = extents.firstIndex(where: { $0.lowerBound < 0 || $0.upperBound > width }) {
        throw .extentOutside(row: row)
      }
    }
    self.extents = extents
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.pixels = pixels
  }
}
