import AuthcoreABI
import NB1010Model
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
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "nb1010", "delay=700,lift=900")
      let sensor = try LoadedDriver.built("nb1010").open()
      let start = host.clock.now
      for touch in 1...3 {
        #expect(sensor.capture(milliseconds: 5000) == .success(Self.frame(touch: touch)))
      }
      // Three times the finger comes, and twice it goes.
      #expect(host.clock.now - start >= (3 * 700 + 2 * 900) * 1_000_000)
      withExtendedLifetime(device) {}
    }
  }

  @Test("a finger that stays is not read again: the capture times out, and the next touch is read")
  func fingerStays() throws {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "nb1010", "lift=4000")
      let sensor = try LoadedDriver.built("nb1010").open()
      #expect(sensor.capture() == .success(Self.frame(touch: 1)))
      #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
      #expect(sensor.capture(milliseconds: 5000) == .success(Self.frame(touch: 2)))
      withExtendedLifetime(device) {}
    }
  }
}
