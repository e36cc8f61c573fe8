import CLibpng
import CoreClient
import FingerprintMatching
import GrayImage
import Protocol

/// A picture as a PNG file, by libpng's simplified interface (libpng-manual, section V).
enum PNGPicture {
  /// Gray with 8 bits.
  static func encode(_ image: GrayImage) throws(Failure) -> [UInt8] {
    try encode(image.pixels, width: image.width, height: image.height, format: 0)
  }

  /// Red, green and blue with 8 bits each.
  static func encode(_ image: ColorImage) throws(Failure) -> [UInt8] {
    try encode(
      image.pixels, width: image.width, height: image.height,
      format: UInt32(PNG_FORMAT_FLAG_COLOR))
  }

  private static func encode(
    _ pixels: [UInt8], width: Int, height: Int, format: UInt32
  ) throws(Failure) -> [UInt8] {
    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    unsafe image.width = UInt32(width)
    unsafe image.height = UInt32(height)
    unsafe image.format = format
    // Uncompressed data and its framing are larger than any PNG of it: 64 bytes a row and 4096 for
    // all chunks.
    var bytes = [UInt8](repeating: 0, count: pixels.count + pixels.count / 8 + height * 64 + 4096)
    var size = bytes.count
    // The function fills bytes[0..<size] at most and reads pixels[0..<width * height * samples]; a
    // row stride of 0 means no gaps.
    let isDone = unsafe png_image_write_to_memory(&image, &bytes, &size, 0, pixels, 0, nil) != 0
    guard isDone, size <= bytes.count else {
      throw Failure(.storageFailed, "The picture cannot be written as PNG")
    }
    return Array(bytes[..<size])
  }
}

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
