import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("Where a driver's frame ends")
struct FrameExtentTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func outcome(_ mode: String) throws -> TouchOutcome {
    try Fixture.session(mode: mode, in: folder).captureTouch(timeoutMilliseconds: 5000)
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
