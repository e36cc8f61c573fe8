import DriverKit
import PluginHosting
import TestSupport
import Testing

@Suite("X3: the kit finds a driver that answers one touch twice")
struct FreshTouchTests {
  private static let broken = "Tests/HostingTests/DriverKit/Fixtures/broken.c"
  private static let brokenChip = "Tests/HostingTests/DriverKit/Fixtures/broken-chip.c"

  private func examine(
    _ source: String, _ macros: [String]
  ) throws -> CheckFinding.Outcome {
    let folder = try TemporaryFolder()
    let driver = try Sources.compile(source, macros, as: "driver.so", in: folder)
    let device = try Sources.compile(
      "Drivers/Template/template-model.c", macros, as: "driver-model.so", in: folder)
    let findings = try DriverExamination(
      driver, device: CheckedDevice(model: device), options: [], in: .current(isService: false)
    ).run([.fresh])
    return try #require(findings.first).outcome
  }

  @Test(
    "a reader, pressed or drawn over, that gives the frame of a touch again", arguments: [0, 1])
  func repeatedFrame(swipe: Int) throws {
    let outcome = try examine(
      Self.broken, ["SWIPE=\(swipe)", "REPEATS_FRAME"])
    guard case .failed(let reason, _) = outcome else {
      Issue.record("not found: \(outcome)")
      return
    }
    #expect(reason.contains("captures delivered 3 frames of 2 touches"), "\(reason)")
    #expect(
      try examine(Self.broken, ["SWIPE=\(swipe)"])
        == .passed(note: "2 frames of 2 touches"))
  }

  @Test(
    "a chip whose driver answers again without a touch, or with a touch that no call waited for",
    arguments: [
      ("answer_twice", "identify answered a second time with one touch"),
      ("answer_late", "the touch that came after the call before had ended"),
    ])
  func repeatedMatch(identify: String, words: String) throws {
    let outcome = try examine(
      Self.brokenChip, ["CHIP=1", "IDENTIFY=" + identify])
    guard case .failed(let reason, _) = outcome else {
      Issue.record("not found: \(outcome)")
      return
    }
    #expect(reason.contains(words), "\(reason)")
    #expect(
      try examine(Self.brokenChip, ["CHIP=1", "IDENTIFY=identify"])
        == .passed(note: "1 answer of 1 touch"))
  }
}
