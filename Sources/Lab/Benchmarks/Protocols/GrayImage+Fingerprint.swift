import FingerprintMatching
import GrayImage

extension GrayImage {
  /// The picture as the matcher takes it.
  ///
  /// - Parameters:
  ///   - name: What it is called in errors.
  ///   - pixelsPerInch: Its resolution.
  ///   - extents: See ``FingerprintImage/extents``.
  /// - Returns: The image.
  /// - Throws: ``BenchmarkFailure`` naming the picture and what is wrong with it.
  func fingerprint(
    named name: String, pixelsPerInch: Int, extents: [Range<Int>]? = nil
  ) throws(BenchmarkFailure) -> FingerprintImage {
    do {
      return try FingerprintImage(
        width: width, height: height, pixelsPerInch: pixelsPerInch, pixels: pixels,
        extents: extents)
    } catch {
      throw BenchmarkFailure("\(name): \(error.message) \(error.hint)")
    }
  }
}
