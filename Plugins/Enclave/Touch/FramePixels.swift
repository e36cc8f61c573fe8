import FingerprintMatching
import Glibc
import Wire

/// The features of a frame whose pixels are wiped as soon as they have been taken.
///
/// A frame is too large for locked memory. The host is not dumpable, and from here on nobody holds the pixels.
func features(takenFrom frame: consuming SensorFrame) -> PrintFeatures? {
  let (width, height) = (Int(frame.width), Int(frame.height))
  let resolution = Int(frame.pixelsPerInch)
  var pixels = frame.pixels
  _ = consume frame
  defer {
    unsafe pixels.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { unsafe explicit_bzero(base, bytes.count) }
    }
  }
  guard
    let image = try? FingerprintImage(
      width: width, height: height, pixelsPerInch: resolution, pixels: pixels)
  else { return nil }
  return FeatureExtractor().features(of: image)
}
