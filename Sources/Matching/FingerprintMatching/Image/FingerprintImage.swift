/// A gray fingerprint image: 0 is black and a ridge, 255 is white and a valley.
///
/// Pixels are row-major without padding, the first row at the finger's tip.
package struct FingerprintImage: Sendable {
  package let width: Int
  package let height: Int
  /// Resolution in pixels per inch, 100...2000.
  package let pixelsPerInch: Int
  package let pixels: [UInt8]
  /// For each row, the columns in which the sensor could see skin, or nil if unknown.
  ///
  /// A ridge that is cut off there does not end.
  package let extents: [Range<Int>]?

  /// In pixels.
  package static let sides = 1...4096
  /// In pixels per inch.
  package static let resolutions = 100...2000

  /// Takes an image as a sensor delivered it.
  ///
  /// - `pixels`: `width * height` gray levels, row-major.
  /// - `extents`: For each row the columns that the sensor's window or a swipe fills, possibly
  ///   none; nil if the driver does not say.
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

package enum FingerprintImageError: Error, Equatable, Sendable {
  case unsupportedSize(width: Int, height: Int)
  case unsupportedResolution(pixelsPerInch: Int)
  case wrongPixelCount(expected: Int, found: Int)
  case wrongExtentCount(expected: Int, found: Int)
  case extentOutside(row: Int)

  package var message: String {
    switch self {
    case .unsupportedSize(let width, let height):
      "A fingerprint image of \(width) by \(height) pixels cannot be used."
    case .unsupportedResolution(let pixelsPerInch):
      "A fingerprint image of \(pixelsPerInch) pixels per inch cannot be used."
    case .wrongPixelCount(let expected, let found):
      "The fingerprint image has \(found) pixels where its sides demand \(expected)."
    case .wrongExtentCount(let expected, let found):
      "The fingerprint image says of \(found) rows what they show, and has \(expected)."
    case .extentOutside(let row):
      "What row \(row) of the fingerprint image is said to show lies outside of it."
    }
  }

  package var hint: String {
    switch self {
    case .unsupportedSize:
      "Deliver images with sides of 1 to 4096 pixels."
    case .unsupportedResolution:
      "State the sensor's true resolution, 100 to 2000 pixels per inch."
    case .wrongPixelCount:
      "Deliver width times height gray levels, row after row, without padding."
    case .wrongExtentCount, .extentOutside:
      "Deliver for each row the first column it shows and the one after the last, or nothing."
    }
  }
}
