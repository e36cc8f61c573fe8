import CLibpng
import Foundation
import TestSupport

/// A gray picture, from a PNG or a PGM.
struct Picture: Equatable {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  /// Reads a PNG; of a colored one whose channels are alike, one channel.
  init(png url: URL) throws {
    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    guard unsafe png_image_begin_read_from_file(&image, url.path) != 0 else {
      throw CocoaError(.fileReadCorruptFile)
    }
    unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
    let (width, height) = unsafe (Int(image.width), Int(image.height))
    var bytes = [UInt8](repeating: 0, count: width * height * 3)
    guard unsafe png_image_finish_read(&image, nil, &bytes, 0, nil) != 0 else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.width = width
    self.height = height
    pixels = stride(from: 0, to: bytes.count, by: 3).map { bytes[$0] }
  }

  /// Reads a binary PGM as `sensor capture` writes it.
  init(pgm url: URL) throws {
    let data = try Data(contentsOf: url)
    let parts = data.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    let size = parts.count == 4 ? parts[1].split(separator: 0x20).map(Self.number) : []
    guard size.count == 2, let width = size[0], let height = size[1] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.width = width
    self.height = height
    pixels = Array(parts[3])
  }

  private static func number(_ digits: Data) -> Int? {
    Int(String(decoding: digits, as: UTF8.self))
  }
}
