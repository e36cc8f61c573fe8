import CLibpng
import CoreClient
import FingerprintMatching
import Glibc
import GrayImage
import Protocol

/// Writes PNG files with libpng's simplified interface (libpng-manual, section V).
enum PNGPicture {
  static func encode(_ image: GrayImage) throws(Failure) -> [UInt8] {
    try encode(image.pixels, width: image.width, height: image.height, format: 0)
  }

  static func encode(_ image: ColorImage) throws(Failure) -> [UInt8] {
    try encode(
      image.pixels, width: image.width, height: image.height, format: UInt32(PNG_FORMAT_FLAG_COLOR))
  }

  private static func encode(
    _ pixels: [UInt8], width: Int, height: Int, format: UInt32
  ) throws(Failure) -> [UInt8] {
    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    unsafe image.width = UInt32(width)
    unsafe image.height = UInt32(height)
    unsafe image.format = format
    // No PNG is larger than the uncompressed data and its framing: 64 bytes for a row, 4096 for all
    // chunks.
    var bytes = [UInt8](repeating: 0, count: pixels.count + pixels.count / 8 + height * 64 + 4096)
    var size = bytes.count
    // libpng writes at most bytes[0..<size] and reads pixels[0..<width * height * samples]. A row
    // stride of 0 means no gaps.
    let isDone = unsafe png_image_write_to_memory(&image, &bytes, &size, 0, pixels, 0, nil) != 0
    guard isDone, size <= bytes.count else {
      throw Failure(.storageFailed, "The picture cannot be written as PNG")
    }
    return Array(bytes[..<size])
  }
}

extension SensorFrame {
  var image: GrayImage {
    GrayImage(width: Int(width), height: Int(height), pixels: pixels)
  }

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

/// A print with its minutiae, in color.
struct ColorImage: Equatable {
  let width: Int
  let height: Int
  /// Red, green, blue of each pixel, row by row.
  private(set) var pixels: [UInt8]

  private static let circle: [UInt8] = [220, 20, 60]
  private static let tail: [UInt8] = [30, 100, 255]
  private static let radius = 3
  private static let tailLength = 9

  init(_ image: GrayImage) {
    width = image.width
    height = image.height
    pixels = image.pixels.flatMap { [$0, $0, $0] }
  }

  /// Draws a circle around each minutia and a line in its direction.
  mutating func draw(_ marks: [PrintFeatures.Mark]) {
    for mark in marks {
      for distance in Self.radius...Self.tailLength {
        set(
          mark.x + Int((mark.step.x * Double(distance)).rounded()),
          mark.y + Int((mark.step.y * Double(distance)).rounded()), Self.tail)
      }
      let square = Self.radius * Self.radius
      for y in -Self.radius...Self.radius {
        for x in -Self.radius...Self.radius where abs(x * x + y * y - square) <= Self.radius {
          set(mark.x + x, mark.y + y, Self.circle)
        }
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ color: [UInt8]) {
    guard 0..<width ~= x, 0..<height ~= y else { return }
    let start = (y * width + x) * 3
    pixels.replaceSubrange(start..<start + 3, with: color)
  }
}

extension PrintFeatures {
  /// A minutia in a picture, and its direction: along the ridges to the side that has one ridge
  /// more.
  struct Mark: Equatable {
    let x: Int
    let y: Int
    /// One pixel in its direction.
    let step: (x: Double, y: Double)

    static func == (left: Mark, right: Mark) -> Bool {
      left.x == right.x && left.y == right.y && left.step == right.step
    }
  }

  /// The minutiae in pixels. Features are at 500 pixels per inch.
  func marks(at pixelsPerInch: UInt32) -> [Mark] {
    let scale = Double(pixelsPerInch) / 500
    return minutiae.map { minutia in
      Mark(
        x: Int((Double(minutia.x) * scale).rounded()),
        y: Int((Double(minutia.y) * scale).rounded()),
        step: (cos(Double(minutia.direction)), sin(Double(minutia.direction))))
    }
  }
}
