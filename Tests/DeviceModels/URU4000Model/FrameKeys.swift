/// The keys of a reader's images, and the cipher made of them.
struct FrameKeys {
  /// What the host asked for last.
  private var number: UInt8 = 0
  private var seed: UInt32 = 0

  /// The key of a number. Any numbers do that differ and are not 0, in which the generator would stand still.
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

/// The generator that runs along with the pixels: its state's bits mask them.
struct PixelMask {
  private static let masked: [UInt32] = [4, 8, 11, 14, 18, 21, 24, 29]
  private static let tapped: UInt32 = [0, 2, 3, 6, 10, 12, 19, 22, 25, 28, 31].reduce(0) {
    $0 | 1 << $1
  }

  private var bits: UInt32

  init(_ key: UInt32) { bits = key }

  /// The mask of this pixel; then the generator moves on.
  mutating func next() -> UInt8 {
    var mask: UInt8 = 0
    for tap in Self.masked.reversed() { mask = mask << 1 | UInt8(bits >> tap & 1) }
    let parity = UInt32((bits & Self.tapped).nonzeroBitCount & 1)
    bits = bits >> 1 | parity << 31
    return mask
  }

  mutating func skip(_ count: Int) {
    for _ in 0..<count { _ = next() }
  }
}
