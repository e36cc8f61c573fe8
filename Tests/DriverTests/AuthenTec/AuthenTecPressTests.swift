import AuthcoreABI
import Testing

/// The driver as built, against the model of the press chips.
@Suite("X3: the driver authentec works without an AES3500 or AES4000")
struct AuthenTecPressTests {
  @Test(
    "touch after touch comes out bit by bit, though the finger takes its time to come and go",
    arguments: [(0x5731, 128, 2, 1000), (0x5501, 96, 3, 750)])
  func frames(product: Int, side: Int, factor: Int, ppi: Int) throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(
        model: "authentec", "chip=\(product),delay=700,hold=900")
      let sensor = try LoadedDriver.built("authentec").open()
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
      withExtendedLifetime(device) {}
    }
  }

  @Test(
    "a finger that stays is not read again: the capture times out, and the next touch is read",
    arguments: (0..<9).map { UInt32(1800 + 30 * $0) })
  func fingerStays(milliseconds: UInt32) throws {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "authentec", "chip=0x5731,hold=4000")
      let sensor = try LoadedDriver.built("authentec").open()
      #expect(sensor.capture() == .success(try AuthenTecFrames.aes3500(touch: 1)))
      #expect(sensor.captureStatus(milliseconds: milliseconds) == AC_ERR_TIMEOUT)
      #expect(
        sensor.capture(milliseconds: 5000) == .success(try AuthenTecFrames.aes3500(touch: 2)))
      withExtendedLifetime(device) {}
    }
  }
}
