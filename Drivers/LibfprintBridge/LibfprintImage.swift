internal import CLibfprint
internal import SensorKit

/// An image that libfprint made.
@safe final class LibfprintImage {
  private let image: OpaquePointer

  init(taking image: OpaquePointer) {
    unsafe self.image = unsafe image
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(image)) }

  /// Its pixels. They are upright already, ridges dark: libfprint turns the image before it looks
  /// for minutiae, which it does for every capture.
  func frame() throws(SensorFailure) -> Frame {
    var count: gsize = 0
    let pixels = unsafe UnsafeBufferPointer(
      start: fp_image_get_data(image, &count), count: Int(clamping: count))
    let width = unsafe fp_image_get_width(image)
    let height = unsafe fp_image_get_height(image)
    guard unsafe pixels.baseAddress != nil, count == gsize(width) * gsize(height) else {
      throw SensorFailure(
        .protocolViolation, "libfprint's image of \(width)x\(height) has \(count) pixels")
    }
    return try unsafe Frame(
      width: Int(width), height: Int(height),
      pixelsPerInch: Self.pixelsPerInch(perMillimeter: fp_image_get_ppmm(image)),
      pixels: Array(pixels))
  }

  /// libfprint takes what it does not know for 19.685 pixels per millimeter, 500 per inch.
  private static func pixelsPerInch(perMillimeter: Double) -> Int {
    let perInch = (perMillimeter * 25.4).rounded()
    return 100...2000 ~= perInch ? Int(perInch) : 500
  }
}
