/// Image transfers of a U.are.U 4000, built field by field, to lie with.
struct URU4000Transfer {
  var width = 384
  var lines = 289
  var keyNumber: UInt8 = 0
  var table: [(flags: UInt8, lines: UInt8)] = [
    (2, 72), (0, 1), (2, 49), (1, 1), (0, 1), (2, 49), (0, 1), (2, 116),
  ]
  /// Of the pixels; every line counts up from its number.
  var pixelCount = 289 * 384

  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes[0] = 0x10
    bytes[1] = 64
    bytes[2] = UInt8(width & 0xFF)
    bytes[3] = UInt8(width >> 8)
    bytes[4] = UInt8(lines & 0xFF)
    bytes[5] = UInt8(lines >> 8)
    bytes[6] = keyNumber
    for (index, entry) in table.prefix(15).enumerated() {
      bytes[16 + 2 * index] = entry.flags
      bytes[17 + 2 * index] = entry.lines
    }
    return bytes + (0..<pixelCount).map { Self.pixel(line: $0 / 384, column: $0 % 384) }
  }

  static func pixel(line: Int, column: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: line + column / 8)
  }
}
