internal import GrayImage
internal import SensorKit

/// A binary PGM as a tape names it.
enum TapePicture {
  /// Room for the header of a picture and the comments that editors write into it.
  private static let headerLimit = 4096
  /// More than the largest picture with its header.
  private static let sizeLimit = GrayImage.maximumSide * GrayImage.maximumSide + 2 * headerLimit

  /// Looks at a picture's header and at its size on disk, not at its pixels.
  ///
  /// - Returns: Why it cannot be played, or nil.
  static func problem(of path: String) -> String? {
    do throws(SensorFailure) {
      let file = try ReadableFile(path: path)
      let start = try file.read(from: 0, count: headerLimit)
      do throws(PGMError) {
        let header = try PGMHeader(decoding: start.span)
        let expected = header.width * header.height
        guard file.size - header.length >= expected else {
          throw .truncated(expected: expected, found: max(0, file.size - header.length))
        }
        // White space after the pixels is an editor's; the whole file is checked when it is played.
        guard file.size - header.length - expected <= headerLimit else {
          throw .trailingBytes(count: file.size - header.length - expected)
        }
        return nil
      } catch {
        return error.description
      }
    } catch {
      return error.message
    }
  }

  /// Reads a picture.
  static func load(_ path: String) throws(SensorFailure) -> GrayImage {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      let file = try ReadableFile(path: path)
      bytes = try file.read(from: 0, count: sizeLimit)
    } catch {
      throw SensorFailure(error.code, "\(path) cannot be read any more: \(error.message)")
    }
    do throws(PGMError) {
      return try GrayImage(decodingPGM: bytes)
    } catch {
      throw SensorFailure(.data, "\(path) cannot be played: \(error)")
    }
  }
}
