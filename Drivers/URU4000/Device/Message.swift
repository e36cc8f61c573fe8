/// What the reader reports of itself: 64 bytes, of which only the first two mean something.
package enum Message: Equatable {
  /// The scanner has power. May be repeated.
  case powered
  /// A finger lies on the reader.
  case fingerOn
  /// It was lifted.
  case fingerOff
  /// The scan that follows will probably bring nothing.
  case death
  /// Something this driver need not know.
  case other(UInt16)

  /// The length of every message.
  package static let size = 64

  /// Reads a message; nil when it has another length.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    switch UInt16(bytes[0]) << 8 | UInt16(bytes[1]) {
    case 0x56AA: self = .powered
    case 0x0101: self = .fingerOn
    case 0x0200: self = .fingerOff
    case 0x0800: self = .death
    case let code: self = .other(code)
    }
  }
}
