/// An image on the bus: a header, then the lines that are not left out, encrypted in blocks.
struct ImageTransfer {
  /// A run of lines in the header's table.
  struct Block {
    let flags: UInt8
    let lines: Int

    var isStored: Bool { flags & 0x01 == 0 }
    var isClocked: Bool { flags & 0x04 == 0 }
    var isEncrypted: Bool { flags & 0x06 == 0x02 }
    var changesKey: Bool { flags & 0x80 != 0 }
  }

  /// As a U.are.U 4500 sends its images.
  static let usual = [
    (0x02, 72), (0x00, 1), (0x02, 49), (0x01, 1), (0x00, 1), (0x02, 49), (0x00, 1), (0x02, 116),
  ].map { Block(flags: UInt8($0.0), lines: $0.1) }

  /// With a block for which the generator stands still, and a new key after it.
  static let rekeyed = [
    (0x02, 72), (0x04, 50), (0x01, 1), (0x82, 50), (0x06, 17), (0x82, 100),
  ].map { Block(flags: UInt8($0.0), lines: $0.1) }

  let blocks: [Block]
  let keyNumber: UInt8
  let patch: (x: Int, y: Int)
  /// Whether the pixels are masked; the table always says so, as with a firmware that was told not
  /// to encrypt.
  let isEncrypted: Bool

  /// The bytes for an image of ``Scan/width`` by ``Scan/height`` pixels.
  func bytes(_ pixels: [UInt8]) -> [UInt8] {
    var number = keyNumber
    var mask = PixelMask(FrameKeys.key(number))
    var data: [UInt8] = []
    data.reserveCapacity(pixels.count)
    var line = 0
    for block in blocks {
      if block.changesKey {
        number &+= 1
        mask = PixelMask(FrameKeys.key(number))
      }
      let run = pixels[(line * Scan.width)..<((line + block.lines) * Scan.width)]
      line += block.lines
      if block.isStored {
        data += isEncrypted && block.isEncrypted ? Self.masked(run, &mask) : Array(run)
      }
      if isEncrypted && block.isClocked && !(block.isStored && block.isEncrypted) {
        mask.skip(run.count)
      }
    }
    return header(storedLines: data.count / Scan.width) + data
  }

  /// Each masked pixel takes the place of its successor, so the last one of a block is lost.
  private static func masked(_ run: ArraySlice<UInt8>, _ mask: inout PixelMask) -> [UInt8] {
    var masked: [UInt8] = [0xC3]
    masked.reserveCapacity(run.count)
    for pixel in run.dropLast() { masked.append(pixel ^ mask.next()) }
    mask.skip(1)
    return masked
  }

  private func header(storedLines: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 64)
    header[0] = 0x10
    header[1] = 64
    header[2] = UInt8(Scan.width & 0xFF)
    header[3] = UInt8(Scan.width >> 8)
    header[4] = UInt8(storedLines & 0xFF)
    header[5] = UInt8(storedLines >> 8)
    header[6] = keyNumber
    header[8] = UInt8(patch.x)
    header[9] = UInt8(patch.y)
    for (index, block) in blocks.enumerated() {
      header[16 + 2 * index] = block.flags
      header[17 + 2 * index] = UInt8(block.lines)
    }
    return header
  }
}

/// The keys of a reader's images, and the cipher made of them.
struct FrameKeys {
  /// The last request of the host.
  private var number: UInt8 = 0
  private var seed: UInt32 = 0

  /// The key of a number: any different numbers except 0, for which the generator would stand
  /// still.
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

/// The generator that runs along with the pixels: bits of its state mask them.
struct PixelMask {
  private static let masked: [UInt32] = [4, 8, 11, 14, 18, 21, 24, 29]
  private static let tapped: UInt32 = [0, 2, 3, 6, 10, 12, 19, 22, 25, 28, 31].reduce(0) {
    $0 | 1 << $1
  }

  private var bits: UInt32

  init(_ key: UInt32) { bits = key }

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
