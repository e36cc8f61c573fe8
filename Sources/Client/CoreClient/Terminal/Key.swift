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

  /// Whether `bytes` begin a function key and do not end it.
  static func isUnfinished(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0, bytes[0] == escapeByte else { return false }
    guard bytes.count > 2 else { return bytes.count == 1 || beginsSequence(bytes[1]) }
    return beginsSequence(bytes[1]) && !isFinal(bytes[bytes.count - 1])
  }

  private static func beginsSequence(_ byte: UInt8) -> Bool { byte == 0x5B || byte == 0x4F }

  private static func isFinal(_ byte: UInt8) -> Bool { 0x40...0x7E ~= byte }

  /// ECMA-48 §5.4: `[` and parameters up to a final byte 0x40…0x7E; after any other byte it is
  /// over.
  private static func end(ofSequenceAt start: Int, in bytes: Span<UInt8>) -> Int {
    guard beginsSequence(bytes[start]) else { return start + 1 }
    var index = start + 1
    while index < bytes.count, !isFinal(bytes[index]) { index += 1 }
    return min(index + 1, bytes.count)
  }
}
