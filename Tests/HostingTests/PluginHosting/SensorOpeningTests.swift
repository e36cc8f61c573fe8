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
    guard case .frame = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort) else {
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
    let stopped = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    isOver.update { $0 = true }
    guard case .end(let end) = stopped, end.status == SensorStatus.interrupted,
      case .frame = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort / 2)
    else {
      Issue.record("\(stopped)")
      return
    }
  }
}

@Suite("Where a driver's frame ends")
struct FrameExtentTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func outcome(_ mode: String) throws -> TouchOutcome {
    try Fixture.session(mode: mode, in: folder).captureTouch(
      timeoutMilliseconds: Fixture.lastResort)
  }

  private func frame(_ mode: String) throws -> SensorFrame {
    guard case .frame(let frame) = try outcome(mode) else {
      throw Failure(.driverFailed, "no frame")
    }
    return frame
  }

  @Test("X3: row by row it arrives as the driver said, and not at all where it said nothing")
  func said() throws {
    #expect(try frame("extents").extents == [0..<1, 1..<4, 2..<2])
    #expect(try frame("plain").extents == nil)
  }

  @Test("it is turned together with the pixels")
  func turned() throws {
    let frame = try frame("extents-turned")
    #expect(frame.pixels == (0..<12).reversed())
    #expect(frame.extents == [2..<2, 0..<3, 3..<4])
  }

  @Test(
    "X3: a driver that assigns the whole struct of 1.0, its size included, says nothing of it",
    arguments: ["first", "extents-unsaid"])
  func firstVersion(mode: String) throws {
    let frame = try frame(mode)
    #expect(frame.pixels.count == 12)
    #expect(frame.extents == nil)
  }

  @Test(
    "extents that lie make the frame a broken one, and the rule is named",
    arguments: [
      ("extents-few", "it has 2 row extents for 3 rows"),
      ("extents-many", "it has 18446744073709551615 row extents for 3 rows"),
      ("extents-null", "its row extents are NULL"),
      ("extents-crossed", "the extent of row 1 goes from column 5 to 4 of 4"),
      ("extents-wide", "the extent of row 2 goes from column 2 to 5 of 4"),
      ("extents-large", "its ac_frame_t says it is 4096 bytes long"),
    ])
  func lies(mode: String, reason: String) throws {
    guard case .end(let end) = try outcome(mode) else {
      Issue.record("no end")
      return
    }
    #expect(end.status == SensorStatus.protocolViolation)
    #expect(end.message.hasSuffix(reason), "\(end.message)")
  }

  @Test("extents that cannot be read end the driver's process, as pixels do")
  func unreadable() throws {
    let failure = try #require(throws: Failure.self) { try outcome("extents-unreadable") }
    #expect(failure.code == .driverFailed)
    #expect(failure.message.contains("ended by signal 11"), "\(failure.message)")
  }
}
