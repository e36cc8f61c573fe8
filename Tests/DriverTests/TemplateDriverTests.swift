import AuthcoreABI
import Testing

/// The driver in C, as built, against its simulated device.
@Suite("X3: the driver in C works without its device")
struct TemplateDriverTests {
  private let driver: LoadedDriver

  init() throws {
    driver = try LoadedDriver.template()
  }

  @Test("it describes its device")
  func description() throws {
    let facts = unsafe driver.facts
    #expect(unsafe String(cString: facts.name) == "template")
    #expect(unsafe facts.usb_match_count == 1 && facts.usb_matches[0].vendor_id == 0x1209)
    #expect(unsafe [facts.width_px, facts.height_px, facts.ppi] == [96, 112, 500])
    driver.closeNothing()
  }

  @Test(
    "touch after touch comes out bit by bit, though the finger takes its time and the device chatters"
  )
  func frames() throws {
    try withSensor("template", model: "press", "delay=700,chatter=3") { sensor, host in
      let start = host.clock.now
      for touch in 1...3 {
        #expect(sensor.capture(milliseconds: 5000) == .success(TemplateDevice.frame(touch: touch)))
      }
      // Three touches and the two lifts between them.
      #expect(host.clock.now - start >= 5 * 700_000_000)
    }
  }

  @Test(
    "what the device says of a touch is a retry, and the next touch is read",
    arguments: [
      (1, AC_RETRY_TOO_DRY), (2, AC_RETRY_TOO_WET), (3, AC_RETRY_CENTER), (4, AC_RETRY_TOO_SHORT),
    ])
  func verdicts(verdict: Int, status: Int) throws {
    try withSensor("template", model: "press", "verdict=\(verdict)") { sensor, _ in
      #expect(sensor.captureStatus() == status)
      #expect(sensor.capture() == .success(TemplateDevice.frame(touch: 2)))
    }
  }

  @Test("a verdict the driver does not know is the device's fault, with a message")
  func unknownVerdict() throws {
    try withSensor("template", model: "press", "verdict=9") { sensor, host in
      #expect(sensor.captureStatus() == AC_ERR_PROTOCOL)
      #expect(host.message.contains("unplug it"))
    }
  }

  @Test(
    "no touch is a timeout after the time the host gave, also when the device chatters without end")
  func timeout() throws {
    for settings in ["touches=0", "chatter=100000"] {
      try withSensor("template", model: "press", settings) { sensor, host in
        let start = host.clock.now
        #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
        #expect(2_000_000_000...2_100_000_000 ~= host.clock.now - start)
      }
    }
  }

  @Test("an interrupt ends a capture within 100 ms, and the next capture works")
  func interrupt() throws {
    try withSensor("template", model: "press", "delay=60000") { sensor, host in
      let start = host.clock.now
      host.clock.after(milliseconds: 1000) { sensor.interrupt() }
      #expect(sensor.captureStatus(milliseconds: 30_000) == AC_ERR_INTERRUPTED)
      #expect(host.clock.now - start <= 1_100_000_000)
      #expect(sensor.captureStatus(milliseconds: 61_000) == AC_OK)
    }
  }

  @Test("unplugged at any call, it says so, and says so again; it never hangs")
  func unplugAtEveryCall() throws {
    let hits = try sweep("gone") { run, call in run.expectGone(call) }
    #expect(hits == Self.callsOfFourTouches)
  }

  @Test(
    "a halted endpoint, cut or wrong bytes at any call end in a retry or a failure, and the driver recovers",
    arguments: [("stall", 30), ("short", 8), ("garbage", 20)])
  func faultAtEveryCall(fault: String, least: Int) throws {
    let hits = try sweep(fault) { run, call in
      guard run.opening == nil else { return }
      let statuses = run.statuses
      let spoilt = statuses.filter { $0 != AC_OK }
      #expect(spoilt.count <= 1, "call \(call): \(statuses)")
      let allowed = [AC_ERR_STALL, AC_ERR_PROTOCOL, AC_RETRY_GENERAL, AC_ERR_TIMEOUT]
      #expect(spoilt.allSatisfy(allowed.contains), "call \(call): \(statuses)")
    }
    #expect(hits >= least)
  }

  @Test("interrupted in any wait, one call reports it and the others work")
  func interruptAtEveryCall() throws {
    let hits = try sweep("interrupt") { run, call in
      guard run.opening == nil else { return }
      let statuses = run.statuses
      #expect(statuses.filter { $0 == AC_ERR_INTERRUPTED }.count <= 1, "call \(call): \(statuses)")
      #expect(statuses.allSatisfy { [AC_OK, AC_ERR_INTERRUPTED].contains($0) })
    }
    #expect(hits >= 30)
  }

  @Test("a device that falls silent at any call is a timeout or a failure, never a hang")
  func silentAtEveryCall() throws {
    let hits = try sweep("silent") { run, call in
      let statuses = run.statuses
      guard run.opening == nil, let last = statuses.last else { return }
      #expect(statuses.allSatisfy { [AC_OK, AC_ERR_TIMEOUT, AC_ERR_PROTOCOL].contains($0) })
      #expect(last != AC_OK || call > 30, "call \(call): \(statuses)")
    }
    #expect(hits >= 30)
  }

  @Test("without a device, and with one of another model, opening fails with what to do")
  func noDevice() throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) { _ = try driver.open() }
      #expect(failure.status == AC_ERR_NOT_FOUND)
      #expect(failure.message.contains("plug one in"))
    }
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "press", "fault=garbage@2")
      let failure = try #require(throws: LoadedDriver.Failure.self) { _ = try driver.open() }
      #expect(failure.status == AC_ERR_UNSUPPORTED)
      withExtendedLifetime(device) {}
    }
  }

  /// The calls of opening (2), a first touch (6) and three more with the lifts between (9 each).
  private static let callsOfFourTouches = 35

  /// Opens and captures four times with `fault` at the first, second, … call.
  /// - Returns: at how many calls the fault showed.
  private func sweep(
    _ fault: String, _ check: (FaultSweep.Run, Int) throws -> Void
  ) throws -> Int {
    try FaultSweep(driver: "template", model: "press", captures: 4, milliseconds: 1000)
      .atEveryCall(through: Self.callsOfFourTouches, fault, check)
  }
}
