/// Why bytes are not a picture that can be used.
///
/// `description` is a sentence that names the reason; whoever read the file adds its name.
package enum PGMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The bytes do not begin with `P5`.
  case notBinaryPGM
  /// The header ends, or holds something else, where this number belongs.
  case missingNumber(HeaderNumber)
  /// A number of the header has more digits than any picture needs.
  case numberTooLarge(HeaderNumber)
  /// A side is zero or exceeds ``GrayImage/maximumSide``.
  case unsupportedSize(width: Int, height: Int)
  /// The value that means white is not in 1...255.
  case unsupportedMaximum(Int)
  /// There are fewer pixels than the header promises.
  case truncated(expected: Int, found: Int)
  /// Something follows the last pixel that the header promises.
  case trailingBytes(count: Int)
  /// A pixel is brighter than what the header calls white.
  case pixelAboveMaximum(value: Int, maximum: Int)

  /// The numbers of a PGM header, in their order.
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
