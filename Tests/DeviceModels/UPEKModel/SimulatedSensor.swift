/// A sensor behind the chip, and the images it makes.
package struct SimulatedSensor {
  /// Of the image.
  package let width: Int
  package let height: Int
  let isSwipe: Bool
  private let ownWidth: Int
  private let ownHeight: Int

  /// TCS1 to TCS5.
  package init?(number: Int) {
    let sizes = [(256, 360), (208, 288), (248, 360), (192, 512), (144, 512)]
    guard 1...5 ~= number else { return nil }
    (ownWidth, ownHeight) = sizes[number - 1]
    (width, height) = (ownWidth * 3 / 4, ownHeight * 3 / 4)
    isSwipe = number > 3
  }

  /// The byte that the host has to send in its capture command.
  var areaFlag: UInt8 { isSwipe ? 0 : 1 }

  /// The answer to the host's question about the sensor.
  var information: SimulatedFrame {
    var payload = [UInt8](repeating: 0, count: 55)
    payload.replaceSubrange(0..<7, with: [0x28, 52, 0, 0, 0, 0x06, 0x14])
    payload[42] = isSwipe ? 0xE4 : 0x66
    payload.replaceSubrange(43..<47, with: Self.bytes(ownWidth) + Self.bytes(ownHeight))
    return SimulatedFrame(0x00, payload)
  }

  /// The image of a touch in the frames in which it is sent.
  func image(touch: Int) -> [SimulatedFrame] {
    let pixels = pixels(touch: touch)
    let size = Self.bytes(pixels.count) + [0, 0]
    var frames: [SimulatedFrame] = []
    var rest =
      Self.bytes(pixels.count + 12) + [0, 0, 0x0E, 0x12] + size + pixels + [0, 0, 0, 0]
    while rest.count > 2042 {
      frames.append(SimulatedFrame(0x00, [frames.isEmpty ? 0x2C : 0x24] + rest.prefix(2042)))
      rest.removeFirst(2042)
    }
    return frames + [SimulatedFrame(0x00, [0x20] + rest)]
  }

  /// Arches of another height and place for each touch, seven pixels from ridge to ridge, dark on
  /// light.
  package func pixels(touch: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    for line in 0..<height {
      let rise = line - height / 3 - touch * 23 % 41
      let start = (rise * rise / (60 + touch * 37 % 61) + touch * 3) % Self.period
      pixels += Self.ridges[start..<start + width]
    }
    return pixels
  }

  private static let period = 7

  /// A line across upright ridges, longer than any sensor is wide.
  private static let ridges = (0..<200 + period).map { x in
    UInt8(30 + 60 * abs(x % period - period / 2))
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)]
  }
}

/// A frame without its sequence number.
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
