/// A frame as the device makes it, apart from its number.
struct SimulatedFrame {
  let kind: UInt8
  let payload: [UInt8]

  init(_ kind: UInt8, _ payload: [UInt8]) {
    self.kind = kind
    self.payload = payload
  }

  static func status(_ code: Int) -> SimulatedFrame {
    SimulatedFrame(
      0x00,
      [0x28, 0x11, 0, 0, 0, 0x00, 0x20, 1, 0, 0, 0, UInt8(code & 0xFF), UInt8(code >> 8 & 0xFF)]
        + [UInt8](repeating: 0, count: 7))
  }

  var isStatus: Bool { payload.starts(with: [0x28, 0x11]) }

  /// The frame with its check; a short one fills a packet.
  func encoded(sequence: UInt8) -> [UInt8] {
    let checked =
      [kind, sequence << 4 | UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    let check = Self.check(checked)
    let bytes = Array("Ciao".utf8) + checked + [UInt8(check & 0xFF), UInt8(check >> 8)]
    return bytes + [UInt8](repeating: 0, count: max(0, 64 - bytes.count))
  }

  /// Reads the host's frame and its number; nil for anything else.
  static func decode(_ bytes: [UInt8]) -> (SimulatedFrame, sequence: UInt8)? {
    guard bytes.count >= 9, bytes.starts(with: Array("Ciao".utf8)) else { return nil }
    let end = bytes.count - 2
    guard Int(bytes[5] & 0x0F) << 8 | Int(bytes[6]) == end - 7,
      check(Array(bytes[4..<end])) == UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8
    else { return nil }
    return (SimulatedFrame(bytes[4], Array(bytes[7..<end])), bytes[5] >> 4)
  }

  /// CRC-16/XMODEM without a table: the polynomial is spread by shifts (its bits are 12, 5 and 0).
  private static func check(_ bytes: [UInt8]) -> UInt16 {
    var remainder: UInt16 = 0
    for byte in bytes {
      var high = remainder >> 8 ^ UInt16(byte)
      high ^= high >> 4
      remainder = remainder << 8 ^ high << 12 ^ high << 5 ^ high
    }
    return remainder
  }
}
