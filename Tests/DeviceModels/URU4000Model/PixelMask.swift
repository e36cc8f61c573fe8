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
