import AuthcoreABI
import AuthenTecModel
import FrameAssembly
import Testing

/// The driver as built, against the model of the press chips.
@Suite("X3: the driver authentec works without an AES3500 or AES4000")
struct AuthenTecPressTests {
  @Test(
    "touch after touch comes out bit by bit, though the finger takes its time to come and go",
    arguments: [(0x5731, 128, 2, 1000), (0x5501, 96, 3, 750)])
  func frames(product: Int, side: Int, factor: Int, ppi: Int) throws {
    try withSensor("authentec", "chip=\(product),delay=700,hold=900") { sensor, host in
      let info = try #require(sensor.info())
      #expect(info.scan_type == ac_scan_type_t(AC_SCAN_PRESS))
      #expect(
        [info.width_px, info.height_px, info.ppi]
          == [UInt32(side * factor), UInt32(side * factor), UInt32(ppi)])
      let start = host.clock.now
      for touch in 1...3 {
        let expected = try AuthenTecFrames.press(
          side: side, factor: factor, ppi: ppi, touch: touch)
        #expect(sensor.capture(milliseconds: 5000) == .success(expected))
      }
      #expect(host.clock.now - start >= (3 * 700 + 2 * 900) * 1_000_000)
    }
  }

  @Test(
    "a finger that stays is not read again: the capture times out, and the next touch is read",
    arguments: (0..<9).map { UInt32(1800 + 30 * $0) })
  func fingerStays(milliseconds: UInt32) throws {
    let frames = try (1...2).map { try AuthenTecFrames.aes3500(touch: $0) }
    try withSensor("authentec", "chip=0x5731,hold=4000") { sensor, _ in
      #expect(sensor.capture() == .success(frames[0]))
      #expect(sensor.captureStatus(milliseconds: milliseconds) == AC_ERR_TIMEOUT)
      #expect(sensor.capture(milliseconds: 5000) == .success(frames[1]))
    }
  }
}

/// The driver as built, against the model of the swipe chips.
@Suite("X3: the driver authentec works without an AES2501")
struct AuthenTecSwipeTests {
  @Test("it describes its devices")
  func description() throws {
    let facts = try unsafe LoadedDriver.built("authentec").facts
    #expect(unsafe String(cString: facts.name) == "authentec")
    let products = unsafe (0..<Int(facts.usb_match_count)).map {
      unsafe facts.usb_matches[$0].product_id
    }
    #expect(Set(products) == [0x5731, 0x5501, 0x2500, 0x2580])
    #expect(unsafe facts.usb_matches[0].vendor_id == 0x08FF)
    #expect(unsafe [facts.width_px, facts.height_px, facts.ppi] == [0, 0, 0])
  }

  @Test("swipe after swipe comes out bit by bit", arguments: [0x2500, 0x2580])
  func frames(product: Int) throws {
    try withSensor("authentec", "chip=\(product),delay=700,step=4,rows=120,tuning=3") { sensor, _ in
      for touch in 1...3 {
        #expect(
          sensor.capture(milliseconds: 5000)
            == .success(AuthenTecFrames.swipe(rows: 120, touch: touch)))
      }
    }
  }

  @Test(
    "a swipe that is too short, too fast or too slow is a retry that says so, and the next is read",
    arguments: [
      ("rows=40", AC_RETRY_TOO_SHORT), ("rows=16", AC_RETRY_TOO_SHORT),
      ("rows=0", AC_RETRY_TOO_SHORT), ("rows=400,step=14", AC_RETRY_TOO_FAST),
      ("rows=100,step=0", AC_RETRY_TOO_SLOW),
    ])
  func retries(settings: String, status: Int) throws {
    try withSensor("authentec", "delay=0,\(settings)") { sensor, _ in
      #expect(sensor.captureStatus(milliseconds: 5000) == status)
    }
  }

  @Test("a slow swipe is not stretched")
  func slow() throws {
    try withSensor("authentec", "delay=0,step=1,rows=100") { sensor, _ in
      #expect(
        sensor.capture(milliseconds: 5000)
          == .success(AuthenTecFrames.swipe(rows: 100, touch: 1)))
    }
  }

  @Test("a finger that never leaves is a retry, then a timeout, and never one long swipe")
  func fingerStays() throws {
    try withSensor("authentec", "delay=0,step=0") { sensor, host in
      let start = host.clock.now
      #expect(sensor.captureStatus(milliseconds: 1000) == AC_RETRY_TOO_SLOW)
      #expect(host.clock.now - start < 10_000_000_000)
      #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
      #expect(host.message.contains("not lifted"))
    }
  }
}

/// The frames that the models' fingers make.
enum AuthenTecFrames {
  static let flipped = UInt32(AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL)

  /// A touch of a press chip of this many pixels a side, enlarged.
  static func press(side: Int, factor: Int, ppi: Int, touch: Int) throws -> CapturedFrame {
    CapturedFrame(
      width: side * factor, height: side * factor, pixelsPerInch: ppi,
      flags: UInt32(AC_FRAME_INVERTED) | flipped,
      pixels: try Enlarging.image(
        SyntheticRidges.part(x: 0, y: 0, width: side, height: side, touch: touch).map { $0 * 17 },
        width: side, height: side, factor: factor))
  }

  static func aes3500(touch: Int) throws -> CapturedFrame {
    try press(side: 128, factor: 2, ppi: 1000, touch: touch)
  }

  /// The whole of a swipe of this many rows, in the middle of a black image.
  static func swipe(rows: Int, touch: Int) -> CapturedFrame {
    let black = [UInt8](repeating: 0, count: 48)
    let pixels = (0..<rows).flatMap { row -> [UInt8] in
      let skin = SyntheticRidges.part(x: 0, y: row, width: 192, height: 1, touch: touch)
      return black + skin.map { $0 * 17 } + black
    }
    return CapturedFrame(
      width: 288, height: rows, pixelsPerInch: 500, flags: UInt32(AC_FRAME_INVERTED) | flipped,
      pixels: pixels, extents: Array(repeating: 48..<240, count: rows))
  }
}
