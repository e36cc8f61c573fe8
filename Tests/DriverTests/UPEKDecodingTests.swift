import SensorKit
import Testing
import UPEKDriver

@Suite("X4: what a UPEK reader says of itself is checked")
struct UPEKDecodingTests {
  private static let close: [UInt8] = [
    0x43, 0x69, 0x61, 0x6F, 0x07, 0x00, 0x01, 0x01, 0x3D, 0x72,
  ]

  @Test("frames are made as the protocol note has them, and read back")
  func frames() throws {
    let closing = UPEKFrame(.close, sequence: 0, payload: [1])
    #expect(closing.bytes == Self.close)
    #expect(try UPEKFrame(decoding: Self.close + [0, 0, 0]) == closing)
    #expect(UPEKFrame(.listening, sequence: 0).bytes.suffix(5) == [9, 0, 0, 0x91, 0x9E])
    let longest = UPEKFrame(
      .data, sequence: 15, payload: [UInt8](repeating: 0x24, count: UPEKFrame.maximumPayload))
    #expect(try UPEKFrame(decoding: longest.bytes) == longest)
    #expect(longest.bytes.count == 2052)
  }

  @Test(
    "a frame with one wrong byte, or cut, is refused with what is wrong",
    arguments: [
      (0, 0x01, "no frame"), (3, 0x80, "no frame"), (4, 0x01, "checksum"), (5, 0x10, "checksum"),
      (5, 0x0F, "3841 bytes"), (6, 0x02, "10 bytes of a frame of 12"), (7, 0x01, "checksum"),
      (9, 0x40, "checksum"),
    ])
  func wrongFrame(offset: Int, change: UInt8, what: String) {
    var bytes = Self.close
    bytes[offset] ^= change
    expect(what) { () throws(SensorFailure) in _ = try UPEKFrame(decoding: bytes) }
    for count in 0..<Self.close.count {
      #expect(throws: SensorFailure.self) {
        try UPEKFrame(decoding: Array(Self.close.prefix(count)))
      }
    }
  }

  @Test("a frame of an unknown kind is refused")
  func unknownKind() {
    let check = checksum([0x0B, 0, 0])
    let bytes = Array("Ciao".utf8) + [0x0B, 0, 0, UInt8(check & 0xFF), UInt8(check >> 8)]
    expect("unknown kind 11") { () throws(SensorFailure) in _ = try UPEKFrame(decoding: bytes) }
  }

  @Test(
    "a message that lies or has no place is refused",
    arguments: [
      ([], "unknown kind"), ([0x31], "unknown kind"), ([0x28, 4, 0, 0, 0], "shorter"),
      ([0x28, 9, 0, 0, 0, 6, 0x14], "shorter"), ([0x28, 4, 0, 0, 0, 6, 0x14], "means nothing"),
      ([0x28, 4, 0, 0, 0, 0, 0x20], "means nothing"), ([0x28, 4, 0, 0, 0, 9, 9], "means nothing"),
      ([0x2C, 0, 0, 0, 0, 0x0E, 0x12], "no image"), ([0x20, 0, 0, 0], "last word"),
      ([0x2C, 0, 0, 0, 0, 0x0E, 0x13, 0, 0, 0, 0], "no image"),
    ])
  func wrongMessage(payload: [UInt8], what: String) {
    expect(what) { () throws(SensorFailure) in
      _ = try UPEKMessage(UPEKFrame(.data, sequence: 0, payload: payload))
    }
  }

  @Test("a sensor of another size is not supported, and says its size")
  func unknownSensor() {
    let failure = #expect(throws: SensorFailure.self) {
      try UPEKSensorModel(width: 0, height: 0xFFFF, isSwipe: true)
    }
    #expect(failure?.code == .unsupported)
    #expect(failure?.message.contains("0x65535") == true)
  }

  @Test("an image of another size than the sensor's, with too much or too little, is refused")
  func wrongImage() throws {
    let sensor = try UPEKSensorModel(width: 144, height: 512, isSwipe: true)
    let size = 108 * 384
    for announced in [0, size - 1, size + 1, 0xFFFF_FFFF] {
      expect("\(announced) bytes, where") { () throws(SensorFailure) in
        _ = try UPEKImage(of: sensor, announced: announced, [])
      }
    }
    var image = try UPEKImage(of: sensor, announced: size, [7])
    expect("more of an image") { () throws(SensorFailure) in
      try image.append([UInt8](repeating: 8, count: size))
    }
    expect("3 bytes of an image") { () throws(SensorFailure) in try image.finish([8, 9]) }
    try image.finish([UInt8](repeating: 8, count: size - 3))
    #expect(image.pixels.prefix(4) == [7, 8, 9, 8])
  }

  private func expect(_ what: String, _ body: () throws(SensorFailure) -> Void) {
    do throws(SensorFailure) {
      try body()
      Issue.record("nothing was refused")
    } catch {
      #expect(error.code == .protocolViolation)
      #expect(error.message.contains(what), "\(error.message)")
      #expect(error.message.contains("unplug it"))
    }
  }
}
