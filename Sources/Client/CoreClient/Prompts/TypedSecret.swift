package import Protocol

/// A secret as it is being typed.
package struct TypedSecret: ~Copyable {
  /// Nothing has been typed.
  package init() {}

  private var bytes = SecretBytes(count: TypedSecret.limit)
  /// How many bytes have been typed.
  package private(set) var count = 0

  /// The longest secret that can be typed, in bytes: that of a passcode.
  package static let limit = longestPasscode

  /// What is said of one that is longer.
  package static let tooLong = "At most \(limit) bytes can be typed"

  /// Whether more was typed than there is room for.
  package private(set) var isCut = false

  /// Adds a byte; beyond the limit it is only noted that there was more.
  package mutating func append(_ byte: UInt8) {
    guard count < Self.limit else { return isCut = true }
    let position = count
    unsafe bytes.withUnsafeMutableBytes { unsafe $0[position] = byte }
    count += 1
  }

  /// Takes the last character back: a whole one, however many bytes of UTF-8 it has.
  package mutating func removeLast() {
    var isInside = true
    while count > 0, isInside {
      isInside = bytes.bytes[count - 1] & 0xC0 == 0x80
      count -= 1
    }
  }

  /// Whether the last character is an accent to be put on the one before it (U+0300…U+036F).
  package var endsWithMark: Bool {
    guard count > 1 else { return false }
    let (lead, trail) = (bytes.bytes[count - 2], bytes.bytes[count - 1])
    return lead == 0xCC || lead == 0xCD && trail <= 0xAF
  }

  /// Takes everything back.
  package mutating func removeAll() {
    bytes = SecretBytes(count: Self.limit)
    count = 0
    isCut = false
  }

  /// What was typed; nothing is left here.
  package mutating func take() -> SecretBytes {
    let secret = SecretBytes(copying: bytes.bytes.extracting(first: count))
    removeAll()
    return secret
  }
}
