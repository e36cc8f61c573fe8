/// Why an image was not taken for a fingerprint image.
package enum FingerprintImageError: Error, Equatable, Sendable {
  /// A side is outside ``FingerprintImage/sides``.
  case unsupportedSize(width: Int, height: Int)
  /// The resolution is outside ``FingerprintImage/resolutions``.
  case unsupportedResolution(pixelsPerInch: Int)
  /// There are not as many grey levels as the sides demand.
  case wrongPixelCount(expected: Int, found: Int)

  /// What is wrong, in one sentence.
  package var message: String {
    switch self {
    case .unsupportedSize(let width, let height):
      "A fingerprint image of \(width) by \(height) pixels cannot be used."
    case .unsupportedResolution(let pixelsPerInch):
      "A fingerprint image of \(pixelsPerInch) pixels per inch cannot be used."
    case .wrongPixelCount(let expected, let found):
      "The fingerprint image has \(found) pixels where its sides demand \(expected)."
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
      "Deliver width times height grey levels, row after row, without padding."
    }
  }
}
