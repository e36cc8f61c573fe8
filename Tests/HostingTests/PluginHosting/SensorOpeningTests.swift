import LinuxSystem
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("Opening a device, and what it says of itself")
struct SensorOpeningTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("X3: the open device says what it is, where the driver's description holds for several")
  func identity() throws {
    let session = try Fixture.session(mode: "plain", ["INFO="], in: folder)
    // A text without end is cut, one with a line break is one line.
    #expect(
      session.identity
        == SensorIdentity(
          scanType: .swipe, width: 144, height: 0, pixelsPerInch: 508, serial: "S 1",
          firmware: String(repeating: "f", count: 64)))
    #expect(try Fixture.session(mode: "plain", in: folder).identity == nil)
  }

  @Test("a driver that cannot tell at this moment says nothing")
  func unknown() throws {
    let macro = "INFO=return AC_ERR_STATE"
    #expect(try Fixture.session(mode: "plain", [macro], in: folder).identity == nil)
  }

  @Test(
    "a device that cannot be is not used",
    arguments: [
      ("INFO=ret_info->scan_type=2", "scan_type is 2"),
      ("INFO=ret_info->height_px=4097", "frames are 144 by 4097 pixels"),
      ("INFO=ret_info->ppi=99", "ppi is 99"),
    ])
  func impossible(macro: String, reason: String) throws {
    let failure = try #require(throws: Failure.self) {
      try Fixture.session(mode: "plain", [macro], in: folder)
    }
    #expect(failure.code == .driverFailed)
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(failure.message.contains(folder.path))
  }

  @Test("a finger that has to be lifted before the device is ready is waited for")
  func lift() throws {
    let session = try Fixture.session(mode: "lift", in: folder)
    guard case .frame = try session.captureTouch(timeoutMilliseconds: 5000) else {
      Issue.record("no frame")
      return
    }
  }

  @Test("an interrupt that a driver hears after it was woken ends no later capture")
  func staleInterrupt() throws {
    let session = try Fixture.session(mode: "stale", in: folder)
    let isOver = Guarded(false)
    SystemThread.start(name: "stopper") {
      // Stopping before the capture began has no effect, so it is repeated until the capture is
      // over.
      while !isOver.read({ $0 }) {
        session.stop()
        _ = isOver.wait(nanoseconds: 5_000_000) { $0 ? true : nil }
      }
    }
    let stopped = try session.captureTouch(timeoutMilliseconds: 60_000)
    isOver.update { $0 = true }
    guard case .end(let end) = stopped, end.status == SensorStatus.interrupted,
      case .frame = try session.captureTouch(timeoutMilliseconds: 1000)
    else {
      Issue.record("\(stopped)")
      return
    }
  }
}
