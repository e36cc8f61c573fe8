import AuthcoreABI
import ElanDriver
import ElanModel
import Testing

/// The driver as built, against its simulated reader.
@Suite("X3: the Elan driver works without its device")
struct ElanDriverTests {
  /// A sensor small enough for every row to be used.
  private static let small = "width=48,height=40,speed=6"
  private static let smallPicture = ElanSwipePicture(width: 48, height: 40, frames: 10, speed: 6)

  @Test("it describes its readers: every product of the family, and none of the others")
  func description() throws {
    let facts = try unsafe LoadedDriver.built("elan").facts
    #expect(unsafe String(cString: facts.name) == "elan")
    #expect(unsafe facts.scan_type == ac_scan_type_t(AC_SCAN_SWIPE))
    let products = unsafe (0..<Int(facts.usb_match_count)).map {
      unsafe facts.usb_matches[$0].product_id
    }
    #expect(Set(products).count == 61 && products.count == 61)
    #expect([0x0903, 0x0907, 0x0C03, 0x0C26, 0x0C33, 0x0C42, 0x0C6E].allSatisfy(products.contains))
    #expect(![0x0C34, 0x0C7D, 0x0C82, 0x0C99].contains(where: products.contains))
  }

  @Test("swipe after swipe comes out bit by bit, though the finger takes its time")
  func frames() throws {
    try withSensor("elan", Self.small + ",delay=700") { sensor, host in
      let start = host.clock.now
      for _ in 1...3 {
        #expect(sensor.capture(milliseconds: 5000) == .success(Self.smallPicture.frame()))
      }
      #expect(host.clock.now - start >= 3 * 700_000_000)
    }
  }

  @Test("a swipe in the other direction comes out the same way up")
  func reverse() throws {
    try withSensor("elan", Self.small + ",reverse=1") { sensor, _ in
      #expect(sensor.capture() == .success(Self.smallPicture.frame(isReverse: true)))
    }
  }

  @Test(
    "every variant is read: extra greeting, row by row, two-byte answers, last index instead of size",
    arguments: [
      ("product=0x0c03", true), ("product=0x0c42", true), ("product=0x0c42,running=3", true),
      ("last=1", true), ("firmware=0x0137,running=3", true), ("running=4,stale=1", true),
      ("product=0x0907", false),
    ])
  func variants(settings: String, hasThreeRanges: Bool) throws {
    try withSensor("elan", Self.small + "," + settings) { sensor, _ in
      let frame = try sensor.capture().get()
      let expected = Self.smallPicture.frame()
      #expect((frame.width, frame.height, frame.flags) == (72, 94, expected.flags))
      #expect((frame == expected) == hasThreeRanges)
    }
  }

  @Test("of a larger sensor the middle rows are used")
  func middleRows() throws {
    try withSensor("elan") { sensor, _ in
      let frame = try sensor.capture().get()
      #expect((frame.width, frame.height) == (216, 50 + 9 * 9))
    }
  }

  @Test("the reader is calibrated before the swipe, and asked at 50 ms intervals how far it is")
  func calibration() throws {
    try withSensor("elan", Self.small + ",running=8") { sensor, host in
      let start = host.clock.now
      #expect(sensor.capture(milliseconds: 5000) == .success(Self.smallPicture.frame()))
      #expect(host.clock.now - start >= 8 * 50_000_000)
    }
  }

  @Test(
    "a calibration that does not end, or changes nothing, is given up with what to do",
    arguments: ["running=9", "running=1,never=1"])
  func calibrationFails(settings: String) throws {
    try withSensor("elan", Self.small + "," + settings) { sensor, host in
      #expect(sensor.captureStatus(milliseconds: 5000) == AC_ERR_PROTOCOL)
      #expect(host.message.contains("clean the sensor"))
    }
  }

  @Test(
    "what the person did is a retry, and the next swipe is read",
    arguments: [
      ("frames=6", AC_RETRY_TOO_SHORT), ("frames=1", AC_RETRY_TOO_SHORT),
      ("speed=0", AC_RETRY_TOO_SLOW), ("early=1,firmware=0x0137", AC_RETRY_LIFT),
    ])
  func retries(settings: String, status: Int) throws {
    try withSensor("elan", Self.small + "," + settings) { sensor, _ in
      #expect(sensor.captureStatus(milliseconds: 5000) == status)
      let next = sensor.captureStatus(milliseconds: 5000)
      #expect(settings.hasPrefix("early") ? next == AC_OK : next == status)
    }
  }

  @Test("no more than 30 frames are taken, and a finger that stays is waited for")
  func longSwipe() throws {
    let picture = ElanSwipePicture(width: 48, height: 40, frames: 28, speed: 6)
    try withSensor("elan", Self.small + ",frames=40,stays=10") { sensor, host in
      #expect(sensor.capture(milliseconds: 5000) == .success(picture.frame()))
      let start = host.clock.now
      #expect(sensor.capture(milliseconds: 5000) == .success(picture.frame()))
      #expect(host.clock.now - start >= 10 * 50_000_000)
    }
    try withSensor("elan", Self.small + ",frames=100000,stays=100000") { sensor, host in
      #expect(sensor.captureStatus() == AC_OK)
      #expect(sensor.captureStatus() == AC_ERR_TIMEOUT)
      #expect(host.message.contains("lift it"))
    }
  }

  @Test("no finger is a timeout after the time the host gave, and the next capture waits again")
  func timeout() throws {
    try withSensor("elan", Self.small + ",delay=3000") { sensor, host in
      for _ in 1...2 {
        let start = host.clock.now
        #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
        #expect(2_000_000_000...2_100_000_000 ~= host.clock.now - start)
      }
      #expect(sensor.capture(milliseconds: 5000) == .success(Self.smallPicture.frame()))
    }
  }

  @Test("an interrupt ends a wait within 100 ms, and the next capture works")
  func interrupt() throws {
    try withSensor("elan", Self.small + ",delay=10000,running=3") { sensor, host in
      for moment in [1, 60, 1000] as [UInt64] {
        let start = host.clock.now
        host.clock.after(milliseconds: moment) { sensor.interrupt() }
        #expect(sensor.captureStatus(milliseconds: 30_000) == AC_ERR_INTERRUPTED)
        #expect(host.clock.now - start <= (moment + 100) * 1_000_000)
      }
      #expect(sensor.capture(milliseconds: 30_000) == .success(Self.smallPicture.frame()))
    }
  }

  @Test(
    "a reader that lies about what it is, its size, its answers or its pixels is told so",
    arguments: [
      ("product=0x0c7d", AC_ERR_UNSUPPORTED, "not of the family"),
      ("width=0", AC_ERR_PROTOCOL, "claims a sensor of"),
      ("height=8", AC_ERR_PROTOCOL, "claims a sensor of"),
      ("finger=0xff", AC_ERR_PROTOCOL, "0xff when asked for a finger"),
      ("bits=16", AC_ERR_PROTOCOL, "more than 14 bits"),
    ])
  func lies(settings: String, status: Int, message: String) throws {
    do {
      try withSensor("elan", settings) { sensor, host in
        #expect(sensor.captureStatus() == status)
        #expect(host.message.contains(message))
      }
    } catch let failure as LoadedDriver.Failure {
      #expect(failure.status == status)
      #expect(failure.message.contains(message))
    }
  }

  @Test("without a device opening fails with what to do")
  func missing() throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedDriver.built("elan").open()
      }
      #expect(failure.status == AC_ERR_NOT_FOUND)
    }
  }
}

/// The expected picture of the simulated swipe: its frames, mapped one by one and put in their
/// places.
struct ElanSwipePicture {
  let width: Int
  let height: Int
  /// Frames that are used.
  let frames: Int
  let speed: Int

  func frame(isReverse: Bool = false) -> CapturedFrame {
    let imageWidth = width * 3 / 2
    let imageHeight = height + (frames - 1) * speed
    var pixels = [UInt8](repeating: 0, count: imageWidth * imageHeight)
    for frame in 0..<frames {
      let top = isReverse ? (frames - 1 - frame) * speed : frame * speed
      let gray = ElanGray.threeRanges.mapped(skin(at: isReverse ? -frame * speed : frame * speed))
      for y in 0..<height {
        for x in 0..<width {
          pixels[(top + y) * imageWidth + (imageWidth - width) / 2 + x] = gray[y * width + x]
        }
      }
    }
    let columns = (imageWidth - width) / 2..<(imageWidth + width) / 2
    let flips = AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL
    return CapturedFrame(
      width: imageWidth, height: imageHeight, pixelsPerInch: 500,
      flags: UInt32(isReverse ? AC_FRAME_INVERTED : AC_FRAME_INVERTED | flips), pixels: pixels,
      extents: Array(repeating: columns, count: imageHeight))
  }

  /// Rows of the skin from `first` on.
  private func skin(at first: Int) -> [UInt16] {
    (0..<height).flatMap { y in (0..<width).map { x in ElanScene.skin(x: x, y: first + y) } }
  }
}
