extension GrayImage {
  /// Reads a binary PGM picture (netpbm's pgm(5)) with 8-bit pixels.
  ///
  /// Total: any bytes give a picture or an error. The size is checked against ``maximumSide`` and
  /// the number of bytes before pixels are allocated. A picture whose white is below 255 is
  /// stretched to 0...255. White space after the last pixel is allowed, since editors leave it;
  /// anything else there means that the size lies.
  ///
  /// - Throws: ``PGMError``, whose description is a sentence without the file's name.
  package init(decodingPGM bytes: Span<UInt8>) throws(PGMError) {
    let header = try PGMHeader(decoding: bytes)
    let expected = header.width * header.height
    let raster = bytes.extracting(droppingFirst: header.length)
    guard raster.count >= expected else {
      throw .truncated(expected: expected, found: raster.count)
    }
    for index in expected..<raster.count where !PGMHeader.isWhiteSpace(raster[index]) {
      throw .trailingBytes(count: raster.count - expected)
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(expected)
    for index in 0..<expected {
      let value = Int(raster[index])
      guard value <= header.maximum else {
        throw .pixelAboveMaximum(value: value, maximum: header.maximum)
      }
      pixels.append(UInt8((value * 255 + header.maximum / 2) / header.maximum))
    }
    self.init(width: header.width, height: header.height, pixels: pixels)
  }

  /// Reads a binary PGM picture; see ``init(decodingPGM:)-(Span<UInt8>)``.
  package init(decodingPGM bytes: [UInt8]) throws(PGMError) {
    try self.init(decodingPGM: bytes.span)
  }

  package func encodedPGM() -> [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + pixels }
}

/// The text at the start of a binary PGM picture: `P5`, then width, height and maximum as decimal
/// numbers after white space or comments, then one white-space byte.
package struct PGMHeader {
  package let width: Int
  package let height: Int

  /// The pixel value of white, 1...255.
  package let maximum: Int

  /// In bytes.
  package let length: Int

  package init(decoding bytes: Span<UInt8>) throws(PGMError) {
    guard bytes.count >= 2, bytes[0] == UInt8(ascii: "P"), bytes[1] == UInt8(ascii: "5") else {
      throw .notBinaryPGM
    }
    var position = 2
    width = try Self.readNumber(.width, in: bytes, from: &position)
    height = try Self.readNumber(.height, in: bytes, from: &position)
    guard (1...GrayImage.maximumSide).contains(width), (1...GrayImage.maximumSide).contains(height)
    else { throw .unsupportedSize(width: width, height: height) }
    maximum = try Self.readNumber(.maximum, in: bytes, from: &position)
    guard (1...255).contains(maximum) else { throw .unsupportedMaximum(maximum) }
    guard position < bytes.count, Self.isWhiteSpace(bytes[position]) else {
      throw .truncated(expected: width * height, found: 0)
    }
    length = position + 1
  }

  /// Reads one number after at least one byte of white space or comment.
  private static func readNumber(
    _ number: PGMError.HeaderNumber, in bytes: Span<UInt8>, from position: inout Int
  ) throws(PGMError) -> Int {
    let start = position
    skipSpaceAndComments(in: bytes, from: &position)
    guard position > start else { throw .missingNumber(number) }
    var value = 0
    let firstDigit = position
    while position < bytes.count, case let digit = Int(bytes[position]) - 0x30, 0...9 ~= digit {
      // Nine digits fit every Int; no header needs them.
      guard position - firstDigit < 9 else { throw .numberTooLarge(number) }
      value = value * 10 + digit
      position += 1
    }
    guard position > firstDigit else { throw .missingNumber(number) }
    return value
  }

  private static func skipSpaceAndComments(in bytes: Span<UInt8>, from position: inout Int) {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "#") {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
          position += 1
        }
      } else if isWhiteSpace(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (byte >= 9 && byte <= 13)
  }
}

package enum PGMError: Error, Equatable, Sendable, CustomStringConvertible {
  case notBinaryPGM
  case missingNumber(HeaderNumber)
  case numberTooLarge(HeaderNumber)
  case unsupportedSize(width: Int, height: Int)
  case unsupportedMaximum(Int)
  case truncated(expected: Int, found: Int)
  case trailingBytes(count: Int)
  case pixelAboveMaximum(value: Int, maximum: Int)

  package enum HeaderNumber: String, Sendable {
    case width, height, maximum
  }

  package var description: String {
    switch self {
    case .notBinaryPGM:
      "it is not a binary PGM picture (it does not begin with \"P5\")"
    case .missingNumber(let number):
      "its header has no \(number.rawValue)"
    case .numberTooLarge(let number):
      "the \(number.rawValue) in its header is absurdly large"
    case .unsupportedSize(let width, let height):
      "its size is \(width)x\(height); sides from 1 to \(GrayImage.maximumSide) pixels are supported"
    case .unsupportedMaximum(let maximum):
      "its white is \(maximum); only 8-bit pictures (1 to 255) are supported"
    case .truncated(let expected, let found):
      "it ends early: its header promises \(expected) pixels, it has \(found)"
    case .trailingBytes(let count):
      "its size lies: \(count) bytes follow the last pixel its header promises"
    case .pixelAboveMaximum(let value, let maximum):
      "a pixel has the value \(value), above the white of \(maximum) in its header"
    }
  }
}
