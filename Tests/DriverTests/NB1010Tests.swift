import AuthcoreABI
import NB1010Driver
import NB1010Model
import SensorKit
import Testing

/// The driver as built, against the model of its device.
@Suite("X3: the driver nb1010 works without its device")
struct NB1010DriverTests {
  /// The frame of a touch, counted from 1.
  static func frame(touch: Int) -> CapturedFrame {
    CapturedFrame(
      width: 256, height: 180, pixelsPerInch: 385, flags: 0,
      pixels: NB1010Model.image(touch: touch))
  }

  @Test("it describes its device")
  func description() throws {
    let facts = try unsafe LoadedDriver.built("nb1010").facts
    #expect(unsafe String(cString: facts.name) == "nb1010")
    #expect(unsafe facts.usb_match_count == 1)
    #expect(unsafe facts.usb_matches[0].vendor_id == 0x298D)
    #expect(unsafe facts.usb_matches[0].product_id == 0x1010)
    #expect(unsafe facts.scan_type == ac_scan_type_t(AC_SCAN_PRESS))
    #expect(unsafe [facts.width_px, facts.height_px, facts.ppi] == [256, 180, 385])
  }

  @Test("touch after touch comes out bit by bit, though the finger takes its time to come and go")
  func frames() throws {
    try withSensor("nb1010", "delay=700,lift=900") { sensor, host in
      let start = host.clock.now
      for touch in 1...3 {
        #expect(sensor.capture(milliseconds: 5000) == .success(Self.frame(touch: touch)))
      }
      // Three times the finger comes, and twice it goes.
      #expect(host.clock.now - start >= (3 * 700 + 2 * 900) * 1_000_000)
    }
  }

  @Test("a finger that stays is not read again: the capture times out, and the next touch is read")
  func fingerStays() throws {
    try withSensor("nb1010", "lift=4000") { sensor, _ in
      #expect(sensor.capture() == .success(Self.frame(touch: 1)))
      #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
      #expect(sensor.capture(milliseconds: 5000) == .success(Self.frame(touch: 2)))
    }
  }
}

@Suite("X4: what an NB-1010-U says of itself is checked")
struct NB1010DecodingTests {
  private static let answer: [UInt8] = [
    0x80, 0x37, 0x01, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0xF7, 0, 0, 0,
  ]

  /// The message with the lines `last - 1` and `last`.
  private static func message(last: UInt8, more: UInt8) -> [UInt8] {
    [0x80, 0x21, 0, 0, 0x1C, 0x02, 0, 0, 0, 0, 0, 0, more, 0, 0, 0, last, 0, 0, 0, 0, 1, 0, 0, 1]
      + [UInt8](repeating: last, count: 512) + [0, 0, 0]
  }

  private static func image(_ messages: [[UInt8]]) throws(SensorFailure) -> NB1010Image {
    var image = NB1010Image()
    for message in messages { try image.append(message) }
    return image
  }

  private static let messages = (0..<90).map { index -> [UInt8] in
    message(last: UInt8(index * 2 + 1), more: index < 89 ? 1 : 0)
  }

  @Test("a finger is felt above 0x30", arguments: [(0x00, false), (0x30, false), (0x31, true)])
  func threshold(signal: UInt8, isDown: Bool) throws {
    var bytes = Self.answer
    bytes[12] = signal
    #expect(try (NB1010Answer(bytes, to: .senseFinger).finger == .down) == isDown)
  }

  @Test(
    "an answer with one wrong byte is refused with what is wrong",
    arguments: [
      (0, "another kind"), (1, "another kind"), (2, "another command"), (4, "its length"),
      (7, "its length"),
    ])
  func wrongAnswer(offset: Int, what: String) throws {
    var bytes = Self.answer
    bytes[offset] ^= 0x40
    let failure = #expect(throws: SensorFailure.self) {
      try NB1010Answer(bytes, to: .senseFinger)
    }
    #expect(failure?.code == .protocolViolation)
    #expect(failure?.message.contains(what) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("unplug it") == true)
  }

  @Test("an answer of any other length is refused", arguments: [0, 1, 15, 17])
  func wrongLength(count: Int) {
    let bytes = (Self.answer + [0]).prefix(count)
    let failure = #expect(throws: SensorFailure.self) {
      try NB1010Answer(Array(bytes), to: .senseFinger)
    }
    #expect(failure?.message.contains("\(count) bytes instead of 16") == true)
  }

  @Test("ninety messages are an image of 256 by 180 pixels, and no more fit")
  func wholeImage() throws {
    var image = try Self.image(Self.messages)
    #expect(image.isComplete && image.pixels.count == 256 * 180)
    #expect(image.pixels[0] == 1 && image.pixels[256 * 2] == 3 && image.pixels.last == 179)
    #expect(throws: SensorFailure.self) { try image.append(Self.message(last: 181, more: 0)) }
  }

  @Test(
    "a part that is not the next, lies about its size or ends too soon or too late is refused",
    arguments: [
      (0, "is none"), (1, "is none"), (5, "is none"), (12, "an end"), (15, "an end"),
      (16, "was due"),
      (19, "was due"), (20, "lines of"), (23, "lines of"),
    ])
  func wrongPart(offset: Int, what: String) throws {
    for index in [0, 44, 89] {
      var image = try Self.image(Array(Self.messages.prefix(index)))
      var message = Self.messages[index]
      message[offset] ^= 0x81
      let failure = #expect(throws: SensorFailure.self) { try image.append(message) }
      #expect(failure?.code == .protocolViolation)
      #expect(failure?.message.contains(what) == true, "\(failure?.message ?? "")")
    }
  }

  @Test("a part of any other length is refused", arguments: [0, 1, 24, 539, 541])
  func wrongPartLength(count: Int) throws {
    var image = NB1010Image()
    let failure = #expect(throws: SensorFailure.self) {
      try image.append(Array((Self.messages[0] + [0]).prefix(count)))
    }
    #expect(failure?.message.contains("\(count) bytes instead of 540") == true)
  }
}
