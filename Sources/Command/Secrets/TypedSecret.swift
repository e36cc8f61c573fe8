import Wire

/// A secret as it is being typed.
struct TypedSecret: ~Copyable {
  private var bytes = SecretBytes(count: TypedSecret.limit)
  /// How many bytes have been typed.
  private(set) var count = 0

  /// The longest secret that can be typed, in bytes: that of a passcode.
  static let limit = 1024

  /// Whether more was typed than there is room for.
  private(set) var isCut = false

  /// Adds a byte; beyond the limit it is only noted that there was more.
  mutating func append(_ byte: UInt8) {
    guard count < Self.limit else { return isCut = true }
    let position = count
    unsafe bytes.withUnsafeMutableBytes { unsafe $0[position] = byte }
    count += 1
  }

  /// Takes the last character back: a whole one, however many bytes of UTF-8 it has.
  mutating func removeLast() {
    var isInside = true
    while count > 0, isInside {
      isInside = bytes.bytes[count - 1] & 0xC0 == 0x80
      count -= 1
    }
  }

  /// Takes everything back.
  mutating func removeAll() {
    bytes = SecretBytes(count: Self.limit)
    count = 0
    isCut = false
  }

  /// What was typed; nothing is left here.
  mutating func take() -> SecretBytes {
    let secret = SecretBytes(copying: bytes.bytes.extracting(first: count))
    removeAll()
    return secret
  }
}
