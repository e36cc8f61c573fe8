import AuthcoreABI
import SensorKit
import Testing

private struct OtherSensor: SensorDriver {
  static let description = SensorDescription(
    name: "other", fullName: "Another", version: "1", scanType: .press)
  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {}
  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome { .retry(.lift) }
}

@Suite("A driver on SensorKit, seen through sensor.h")
struct SensorDriverTests {
  @Test("its facts reach the C table")
  func description() throws {
    let driver = try LoadedDriver.probe()
    let facts = unsafe driver.facts
    #expect(driver.version == 1 << 16 | 2)
    #expect(unsafe String(cString: facts.name) == "probe")
    #expect(unsafe String(cString: facts.full_name) == "Probe of the tests")
    #expect(unsafe String(cString: facts.version) == "7")
    #expect(unsafe facts.usb_match_count == 1 && facts.usb_matches[0].vendor_id == 0x1209)
    #expect(unsafe facts.scan_type == ac_scan_type_t(AC_SCAN_SWIPE))
    #expect(unsafe [facts.width_px, facts.height_px, facts.ppi] == [4, 2, 508])
    #expect(unsafe Int(facts.flags) == AC_SENSOR_READS_FILES && facts.real_option == nil)
    #expect(unsafe String(cString: facts.options[0].name) == "behavior")
  }

  @Test("a host of another major version and null pointers are refused")
  func refusedEntries() {
    var table: UnsafePointer<ac_sensor_driver_t>?
    #expect(unsafe Int(LoadedDriver.probeEntry(TestHost.otherTable.pointer, &table)) == AC_ERR_ABI)
    #expect(unsafe Int(LoadedDriver.probeEntry(nil, &table)) == AC_ERR_ARGUMENT)
    #expect(unsafe Int(LoadedDriver.probeEntry(TestHost.table.pointer, nil)) == AC_ERR_ARGUMENT)
    #expect(unsafe table == nil)
  }

  @Test("a newer minor version of the host is fine, and a second driver in the module is not")
  func entries() throws {
    var table: UnsafePointer<ac_sensor_driver_t>?
    #expect(unsafe Int(LoadedDriver.probeEntry(TestHost.newerTable.pointer, &table)) == AC_OK)
    #expect(
      unsafe Int(export(OtherSensor.self, host: TestHost.table.pointer, ret: &table))
        == AC_ERR_STATE)
  }

  @Test("a frame arrives with its layout, and the next call gives the next frame")
  func frames() throws {
    try TestHost.run { host in
      let sensor = try LoadedDriver.probe().open()
      let flags = UInt32(AC_FRAME_INVERTED | AC_FRAME_FLIP_VERTICAL)
      for times in 1...2 {
        let expected = CapturedFrame(
          width: 4, height: 2, pixelsPerInch: 508, flags: flags,
          pixels: (0..<8).map { UInt8($0 * times) })
        #expect(sensor.capture() == .success(expected))
      }
      #expect(host.log == ["opened for frame"])
    }
  }

  @Test(
    "retry, result and failure are kept apart",
    arguments: [
      ("retry", AC_RETRY_TOO_FAST, ""),
      ("fail", AC_ERR_TOO_HOT, "The sensor is too hot; let it cool down"),
      (
        "lies", AC_ERR_PROTOCOL,
        "The reader gave no proper frame: 4 × 2 pixels are 8; it says that it has 3"
      ),
      (
        "beyond", AC_ERR_PROTOCOL,
        "The reader gave no proper frame: the extent of row 1 goes from column 2 to 5 of 4"
      ),
      ("wait", AC_ERR_TIMEOUT, "No touch in time"),
    ])
  func outcomes(behavior: String, status: Int, message: String) throws {
    try TestHost.run { _ in
      let sensor = try LoadedDriver.probe().open([.text("behavior", behavior)])
      #expect(sensor.capture() == .failure(.init(status: status, message: message)))
    }
  }

  @Test("where a frame ends arrives with it")
  func extents() throws {
    try TestHost.run { _ in
      let sensor = try LoadedDriver.probe().open([.text("behavior", "window")])
      for _ in 1...2 { #expect(try sensor.capture().get().extents == [0..<4, 2..<2]) }
    }
  }

  @Test(
    "X3: a host of 1.0 gets its frame, and nothing is written behind it",
    arguments: ["frame", "window"])
  func firstHost(behavior: String) throws {
    try TestHost.run { _ in
      let sensor = try LoadedDriver.probe().open([.text("behavior", behavior)])
      let frame = try #require(sensor.captureForFirstHost())
      #expect(frame == (40, true))
    }
  }

  @Test("what an open device is reaches the C table, cut and on one line; a driver may say nothing")
  func deviceInfo() throws {
    try TestHost.run { _ in
      let driver = try LoadedDriver.probe()
      let told = try driver.open([.text("behavior", "told")])
      let info = try #require(told.info())
      #expect(info.scan_type == ac_scan_type_t(AC_SCAN_PRESS))
      #expect([info.width_px, info.height_px, info.ppi] == [4, 2, 508])
      let serial = unsafe withUnsafeBytes(of: info.serial) { unsafe Array($0.prefix(4)) }
      #expect(serial == [97, 32, 98, 0])
      let firmware = unsafe withUnsafeBytes(of: info.firmware) { unsafe Array($0) }
      #expect(firmware == Array(repeating: 102, count: 63) + [0])
      let silent = try driver.open([.text("behavior", "frame")])
      #expect(silent.info() == nil)
      let isUnknown = unsafe driver.ability("device-info/2", as: UInt8.self) == nil
      #expect(isUnknown)
    }
  }

  @Test("a finger that has to be lifted before the device is ready is a retry of open")
  func liftAtOpen() throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedDriver.probe().open([.text("behavior", "held")])
      }
      #expect(failure.status == AC_RETRY_LIFT)
    }
  }

  @Test("an interrupt ends a wait within 100 ms, or the next capture, and only one")
  func interrupts() throws {
    try TestHost.run { host in
      let sensor = try LoadedDriver.probe().open([.text("behavior", "wait")])
      let start = host.clock.now
      host.clock.after(milliseconds: 333) { sensor.interrupt() }
      #expect(sensor.captureStatus(milliseconds: 5000) == AC_ERR_INTERRUPTED)
      #expect(host.clock.now - start <= 433_000_000)
      sensor.interrupt()
      #expect(sensor.captureStatus(milliseconds: 5000) == AC_ERR_INTERRUPTED)
      #expect(sensor.captureStatus(milliseconds: 5000) == AC_ERR_TIMEOUT)
    }
  }

  @Test("a driver that needs a device says so where the host has none")
  func noDevice() throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedDriver.probe().open([.text("behavior", "press")])
      }
      #expect(failure.status == AC_ERR_NOT_FOUND)
      #expect(failure.message.contains("no USB device"))
    }
  }

  @Test("closing nothing is accepted")
  func closeNull() throws {
    try LoadedDriver.probe().closeNothing()
  }
}
