import FingerprintMatching
import GrayImage
import Protocol

extension SensorFrame {
  /// The pixels as a picture.
  var image: GrayImage {
    GrayImage(width: Int(width), height: Int(height), pixels: pixels)
  }

  /// What the matcher sees in it.
  func features() throws(Failure) -> PrintFeatures {
    do throws(FingerprintImageError) {
      let image = try FingerprintImage(
        width: Int(width), height: Int(height), pixelsPerInch: Int(pixelsPerInch), pixels: pixels,
        extents: extents)
      return FeatureExtractor().features(of: image)
    } catch {
      throw Failure(.driverFailed, error.message, hint: error.hint)
    }
  }
}
