/// The image on the simulated sensor.
package struct ElanScene: Sendable {
  package let width: Int
  package let height: Int
  let isRowByRow: Bool
  let speed: Int
  let highBits: UInt16

  /// The brightness of the empty sensor.
  static func background(x: Int, y: Int) -> UInt16 {
    5800 + UInt16((x * 3 + y * 7) % 64)
  }

  /// How much brighter skin makes it: ridges, and pores that tell every place apart.
  package static func skin(x: Int, y: Int) -> UInt16 {
    let row = y + 100_000
    let wave = (x * 5 + row * 3 + x * row / 64) % 64
    var noise = UInt32(truncatingIfNeeded: x / 3 &* 73_856_093 ^ row / 3 &* 19_349_663)
    noise = (noise ^ noise >> 13) &* 0x5BD1_E995
    return UInt16(abs(wave - 32) * 60) + UInt16(noise >> 16 & 0x1FF) + 1
  }

  /// The bytes of frame `index` of a swipe; nil: of the empty sensor.
  func frame(_ index: Int?) -> [UInt8] {
    bytes { x, y in
      Self.background(x: x, y: y) + (index.map { Self.skin(x: x, y: y + $0 * speed) } ?? 0)
    }
  }

  /// A finger that does not move, brighter than any of a swipe.
  func brightFrame() -> [UInt8] {
    bytes { x, y in Self.background(x: x, y: y) + 4000 }
  }

  /// Two bytes for each pixel, in the order in which the reader sends them.
  private func bytes(_ pixel: (Int, Int) -> UInt16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 2)
    for index in 0..<width * height {
      let (x, y) = isRowByRow ? (index % width, index / width) : (index / height, index % height)
      let value = pixel(x, y) | highBits
      bytes += [UInt8(value & 0xFF), UInt8(value >> 8)]
    }
    return bytes
  }
}
