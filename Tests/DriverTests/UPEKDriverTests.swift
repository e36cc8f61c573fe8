import AuthcoreABI
import Testing
import UPEKModel

/// The driver as built, against the model of its device.
@Suite("X3: the driver upek works without its device")
struct UPEKDriverTests {
  /// The frame of a touch on a sensor, both counted from 1.
  static func frame(sensor: Int = 4, touch: Int) -> CapturedFrame {
    guard let simulated = SimulatedSensor(number: sensor) else {
      preconditionFailure("there are sensors 1 to 5")
    }
    return CapturedFrame(
      width: simulated.width, height: simulated.height, pixelsPerInch: 381, flags: 0,
      pixels: simulated.pixels(touch: touch))
  }

  @Test("it describes its devices")
  func description() throws {
    let facts = try unsafe LoadedDriver.built("upek").facts
    #expect(unsafe String(cString: facts.name) == "upek")
    let products = unsafe (0..<Int(facts.usb_match_count)).map { index in
      unsafe facts.usb_matches[index]
    }
    #expect(products.map(\.vendor_id) == [0x147E, 0x147E])
    #expect(products.map(\.product_id) == [0x2016, 0x2020])
    // Of each product one revision speaks this protocol.
    #expect(products.map(\.bcd_device_first) == [2, 1])
    #expect(products.map(\.bcd_device_last) == [2, 1])
    #expect(products.allSatisfy { $0.flags == UInt16(AC_USB_MATCH_RELEASE) })
    #expect(unsafe [facts.width_px, facts.height_px, facts.ppi] == [0, 0, 381])
  }

  @Test(
    "every sensor's images come out bit by bit, though the device is busy and reads end empty",
    arguments: [
      (1, 192, 270, "area"), (2, 156, 216, "area"), (3, 186, 270, "area"), (4, 144, 384, "swipe"),
      (5, 108, 384, "swipe"),
    ])
  func sensors(number: Int, width: Int, height: Int, manner: String) throws {
    try withSensor("upek", "sensor=\(number),delay=700,busy=3,empty=2") { sensor, host in
      #expect(host.log == ["The UPEK reader has the \(manner) sensor TCS\(number)"])
      let info = try #require(sensor.info())
      #expect(info.scan_type == ac_scan_type_t(manner == "swipe" ? AC_SCAN_SWIPE : AC_SCAN_PRESS))
      #expect([info.width_px, info.height_px, info.ppi] == [UInt32(width), UInt32(height), 381])
      for touch in 1...3 {
        let frame = Self.frame(sensor: number, touch: touch)
        #expect((frame.width, frame.height) == (width, height))
        #expect(sensor.capture(milliseconds: 5000) == .success(frame))
      }
    }
  }

  @Test("more frames than there are numbers for them are sent and understood")
  func numbersWrap() throws {
    try withSensor("upek", "busy=40") { sensor, _ in
      for touch in 1...4 { #expect(sensor.capture() == .success(Self.frame(touch: touch))) }
    }
  }

  @Test(
    "what a swipe sensor says of a swipe is a retry, and the next swipe is read",
    arguments: [
      (0x13, AC_RETRY_TOO_SHORT), (0x1E, AC_RETRY_TOO_SHORT), (0x1D, AC_RETRY_CENTER),
      (0x77, AC_RETRY_GENERAL), (0x0113, AC_RETRY_GENERAL),
    ])
  func swipeStatus(status: Int, retry: Int) throws {
    try withSensor("upek", "status=\(status)") { sensor, _ in
      #expect(sensor.captureStatus() == retry)
      #expect(sensor.capture() == .success(Self.frame(touch: 2)))
    }
  }

  @Test(
    "an area sensor goes on after a touch that was of no use, in the same scan",
    arguments: [
      (0x13, nil), (0x1E, AC_RETRY_TOO_SHORT), (0x1D, AC_RETRY_CENTER), (0x77, AC_RETRY_GENERAL),
    ])
  func areaStatus(status: Int, retry: Int?) throws {
    try withSensor("upek", "sensor=1,status=\(status),empty=1") { sensor, _ in
      if let retry { #expect(sensor.captureStatus() == retry) }
      #expect(sensor.capture() == .success(Self.frame(sensor: 1, touch: 1)))
    }
  }

  @Test("a finger that stays on an area sensor is not read again")
  func fingerStays() throws {
    try withSensor("upek", "sensor=2,lift=3000") { sensor, host in
      let start = host.clock.now
      #expect(sensor.capture() == .success(Self.frame(sensor: 2, touch: 1)))
      #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
      host.clock.sleep(3_000_000_000)
      #expect(sensor.capture() == .success(Self.frame(sensor: 2, touch: 2)))
      #expect(host.clock.now - start >= 3_000_000_000)
    }
  }

  @Test("no touch is a timeout after the time the host gave", arguments: [0, 30, 2000, 9000])
  func timeout(milliseconds: UInt32) throws {
    try withSensor("upek", "touches=0") { sensor, host in
      for _ in 1...2 {
        let start = host.clock.now
        #expect(sensor.captureStatus(milliseconds: milliseconds) == AC_ERR_TIMEOUT)
        let wanted = UInt64(milliseconds) * 1_000_000
        #expect(host.clock.now - start <= wanted + 20_000_000)
      }
    }
  }

  @Test("a device that is busy for ever is a timeout")
  func busyForEver() throws {
    try withSensor("upek", "busy=100000") { sensor, _ in
      #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
    }
  }

  @Test(
    "an interrupt ends the wait for a finger within 100 ms; the device is opened anew and works")
  func interrupt() throws {
    try withSensor("upek", "delay=20000") { sensor, host in
      let start = host.clock.now
      host.clock.after(milliseconds: 1000) { sensor.interrupt() }
      #expect(sensor.captureStatus(milliseconds: 60_000) == AC_ERR_INTERRUPTED)
      #expect(host.clock.now - start <= 1_100_000_000)
      #expect(sensor.capture(milliseconds: 60_000) == .success(Self.frame(touch: 2)))
    }
  }

  @Test(
    "the one revision of each product is accepted, any other is refused by its number",
    arguments: [
      (0x2016, 0x0002, true), (0x2020, 0x0001, true), (0x2016, 0x0001, false),
      (0x2016, 0x0000, false), (0x2020, 0x0002, false), (0x1000, 0x0002, false),
    ])
  func revisions(product: Int, release: Int, isKnown: Bool) throws {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(
        model: "upek", "product=\(product),release=\(release)")
      do {
        _ = try LoadedDriver.built("upek").open()
        #expect(isKnown)
      } catch let failure as LoadedDriver.Failure {
        #expect(!isKnown)
        #expect(failure.status == AC_ERR_UNSUPPORTED)
        let named = product == 0x1000 ? "147e:2016" : "revision 000\(release)"
        #expect(failure.message.contains(named), "\(failure.message)")
      }
      withExtendedLifetime(device) {}
    }
  }
}
