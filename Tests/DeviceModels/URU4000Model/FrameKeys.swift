/// The keys of a reader's images, and the cipher made of them.
struct FrameKeys {
  /// What the host asked for last.
  private var number: UInt8 = 0
  private var seed: UInt32 = 0

  /// The key of a number. Any numbers do that differ and are not 0, in which the generator would
  /// stand still.
  static func key(_ number: UInt8) -> UInt32 {
    UInt32(number) &* 0x9E37_79B9 ^ 0x5443_09D7 | 1
  }

  /// The host writes a key's number and its seed, least significant first.
  mutating func ask(_ bytes: [UInt8]) {
    guard bytes.count == 5 else { return }
    number = bytes[0]
    seed = bytes[1...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The key, hidden by the seed.
  var answer: [UInt8] {
    let hidden = Self.key(number) ^ seed
    return (0..<4).map { UInt8(truncatingIfNeeded: hidden >> (8 * $0)) }
  }
}
