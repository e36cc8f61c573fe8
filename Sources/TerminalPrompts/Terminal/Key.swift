/// What a person did on the keyboard, as far as a prompt cares.
package enum Key: Equatable, Sendable {
  /// A byte of text; several make a character.
  case byte(UInt8)
  case enter
  case backspace
  /// Ctrl-U.
  case eraseAll
  /// Escape.
  case escape
  /// Ctrl-D, or the terminal is gone.
  case end
  /// Ctrl-C.
  case interrupt
  /// Ctrl-Z.
  case suspend

  /// What begins the bytes of a function key.
  package static var escapeByte: UInt8 { 0x1B }

  /// The keys in `bytes`: what arrives at once behind an escape byte is a function key and counts
  /// for nothing.
  package static func keys(in bytes: Span<UInt8>) -> [Key] {
    var keys: [Key] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x7F, 0x08: keys.append(.backspace)
      case 0x15: keys.append(.eraseAll)
      case 0x04: keys.append(.end)
      case 0x03: keys.append(.interrupt)
      case 0x1A: keys.append(.suspend)
      case escapeByte:
        guard index < bytes.count else {
          keys.append(.escape)
          continue
        }
        index = end(ofSequenceAt: index, in: bytes)
      case 0x20...0xFF: keys.append(.byte(byte))
      default: continue
      }
    }
    return keys
  }

  /// ECMA-48 §5.4: `[` and parameters up to a final byte 0x40…0x7E; after any other byte it is
  /// over.
  private static func end(ofSequenceAt start: Int, in bytes: Span<UInt8>) -> Int {
    guard bytes[start] == 0x5B || bytes[start] == 0x4F else { return start + 1 }
    var index = start + 1
    while index < bytes.count, !(0x40...0x7E ~= bytes[index]) { index += 1 }
    return min(index + 1, bytes.count)
  }
}
