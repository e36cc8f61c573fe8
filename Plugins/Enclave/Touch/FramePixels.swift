import FingerprintMatching
import Glibc
import Protocol

/// The features of a frame whose pixels are wiped as soon as they have been taken; nil where it
/// cannot be a picture of a finger.
///
/// A frame is too large for locked memory. The enclave's host is not dumpable, and nobody else
/// holds the pixels of a consumed frame.
func features(takenFrom frame: consuming SensorFrame) -> PrintFeatures? {
  let (width, height) = (Int(frame.width), Int(frame.height))
  let resolution = Int(frame.pixelsPerInch)
  let extents = frame.extents
  var pixels = frame.pixels
  _ = consume frame
  // The image lives in that call only, so that the pixels here are the last ones and are wiped in
  // place.
  let features = features(of: pixels, extents, width, height, resolution)
  unsafe pixels.withUnsafeMutableBytes { bytes in
    if let base = bytes.baseAddress { unsafe explicit_bzero(base, bytes.count) }
  }
  return features
}

private func features(
  of pixels: [UInt8], _ extents: [Range<Int>]?, _ width: Int, _ height: Int, _ resolution: Int
) -> PrintFeatures? {
  guard
    let image = try? FingerprintImage(
      width: width, height: height, pixelsPerInch: resolution, pixels: pixels,
      extents: extents)
  else { return nil }
  return FeatureExtractor().features(of: image)
}
