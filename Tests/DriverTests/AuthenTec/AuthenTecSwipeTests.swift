import AuthcoreABI
import Testing

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
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(
        model: "authentec", "chip=\(product),delay=700,step=4,rows=120,tuning=3")
      let sensor = try LoadedDriver.built("authentec").open()
      for touch in 1...3 {
        #expect(
          sensor.capture(milliseconds: 5000)
            == .success(AuthenTecFrames.swipe(rows: 120, touch: touch)))
      }
      withExtendedLifetime(device) {}
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
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "authentec", "delay=0,\(settings)")
      let sensor = try LoadedDriver.built("authentec").open()
      #expect(sensor.captureStatus(milliseconds: 5000) == status)
      withExtendedLifetime(device) {}
    }
  }

  @Test("a slow swipe is not stretched")
  func slow() throws {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "authentec", "delay=0,step=1,rows=100")
      let sensor = try LoadedDriver.built("authentec").open()
      #expect(
        sensor.capture(milliseconds: 5000)
          == .success(AuthenTecFrames.swipe(rows: 100, touch: 1)))
      withExtendedLifetime(device) {}
    }
  }

  @Test("a finger that never leaves is a retry, then a timeout, and never one long swipe")
  func fingerStays() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "authentec", "delay=0,step=0")
      let sensor = try LoadedDriver.built("authentec").open()
      let start = host.clock.now
      #expect(sensor.captureStatus(milliseconds: 1000) == AC_RETRY_TOO_SLOW)
      #expect(host.clock.now - start < 10_000_000_000)
      #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
      #expect(host.message.contains("not lifted"))
      withExtendedLifetime(device) {}
    }
  }
}
