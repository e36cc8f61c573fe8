/// Why bytes are not the message they should be.
package enum DecodeError: Error, Equatable, Sendable {
  /// `wanted` more bytes were needed and `left` were there.
  case truncated(wanted: Int, left: Int)
  /// A field says it is `count` bytes or elements long; at most `limit` are taken.
  case tooLong(count: Int, limit: Int)
  /// Text that is not UTF-8.
  case invalidText
  /// A field holds a value that has no meaning: `field` names it.
  case invalidValue(field: String)
  /// The message is over and `count` bytes are left.
  case trailingBytes(count: Int)
  /// A message number nobody here knows.
  case unknownMessage(number: UInt8)
}
