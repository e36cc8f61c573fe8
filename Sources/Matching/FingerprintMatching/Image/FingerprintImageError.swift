/// Why an image was not taken for a fingerprint image.
package enum FingerprintImageError: Error, Equatable, Sendable {
  /// A side is outside ``FingerprintImage/sides``.
  case unsupportedSize(width: Int, height: Int)
  /// The resolution is outside ``FingerprintImage/resolutions``.
  case unsupportedResolution(pixelsPerInch: Int)
  /// There are not as many gray levels as the sides demand.
  case wrongPixelCount(expected: Int, found: Int)
  /// There are not as many extents as rows.
  case wrongExtentCount(expected: Int, found: Int)
  /// The extent of a row reaches beyond the image.
  case extentOutside(row: Int)

  /// What is wrong, in one sentence.
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

  /// What to do about it, in one sentence.
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
