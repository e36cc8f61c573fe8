/// The text at the start of a binary PGM picture (netpbm's pgm(5)): `P5`, then width, height and
/// maximum as decimal numbers after white space or comments, then one white-space byte.
package struct PGMHeader {
  package let width: Int
  package let height: Int

  /// The pixel value that means white, in 1...255.
  package let maximum: Int

  /// Where the pixels begin, in bytes from the start of the file.
  package let length: Int

  package init(decoding bytes: Span<UInt8>) throws(PGMError) {
    guard bytes.count >= 2, bytes[0] == UInt8(ascii: "P"), bytes[1] == UInt8(ascii: "5") else {
      throw .notBinaryPGM
    }
    var position = 2
    width = try Self.readNumber(.width, in: bytes, from: &position)
    height = try Self.readNumber(.height, in: bytes, from: &position)
    guard (1...GrayImage.maximumSide).contains(width), (1...GrayImage.maximumSide).contains(height)
    else {
      throw .unsupportedSize(width: width, height: height)
    }
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
    while position < bytes.count, let digit = digitValue(bytes[position]) {
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
        while position < bytes.count, !isLineEnd(bytes[position]) { position += 1 }
      } else if isWhiteSpace(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  private static func digitValue(_ byte: UInt8) -> Int? {
    let zero = UInt8(ascii: "0")
    return byte >= zero && byte <= UInt8(ascii: "9") ? Int(byte - zero) : nil
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (byte >= 9 && byte <= 13)
  }
}
