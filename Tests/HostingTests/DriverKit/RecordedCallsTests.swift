import DriverKit
import Foundation
import PluginHosting
import TestSupport
import Testing

@Suite("X3: the calls of a recorded session stand in a text beside the recording")
struct RecordedCallsTests {
  private static let template = Sources.products + "/libauthcore-driver-template.so"
  private static let recordings =
    (ProcessInfo.processInfo.environment["AUTHCORE_SHARED"] ?? Sources.folder + "/../shared")
    + "/recordings"

  /// Plays `recording` with these calls; nil: without a text of calls.
  private func play(
    _ driver: String, _ recording: Data, _ calls: Data?, device: String = ""
  ) throws -> CheckFinding.Outcome {
    let folder = try TemporaryFolder()
    let file = folder.file("session")
    try recording.write(to: URL(fileURLWithPath: file))
    try calls?.write(to: URL(fileURLWithPath: file + ".calls"))
    let findings = try DriverExamination(
      driver, device: CheckedDevice(recording: file, recordedDevice: device), options: [],
      in: .current(isService: false)
    ).run([.recording])
    return try #require(findings.first).outcome
  }

  private static let chips = [
    (
      "elanchip", "elanmoc", "04f3:0c88",
      """
      enroll NAME   # nine good touches and two retries
      touch = 11 22 33 44 55 66 77 retry 88 retry 100
      commit = NAME
      list = NAME
      identify = NAME
      identify NAME = NAME
      remove NAME
      """
    ),
    (
      "synaptics", "synaptics", "06cb:00bd",
      """
      clear
      enroll NAME
      touch = 12 25 37 50 62 retry 75 87 100
      commit = NAME
      identify NAME = NAME
      remove NAME
      """
    ),
  ]

  @Test(
    "sessions of real chips play to their end, and neither one call fewer nor another result passes",
    .enabled(
      if: FileManager.default.fileExists(atPath: recordings),
      "no ../shared/recordings here; set AUTHCORE_SHARED to have them"),
    arguments: chips)
  func chip(driver: String, recording: String, device: String, calls: String) throws {
    let path = Sources.products + "/libauthcore-driver-\(driver).so"
    let session = try Data(
      contentsOf: URL(fileURLWithPath: Self.recordings + "/\(recording)/custom.pcapng"))
    let text = calls.replacing("NAME", with: "\"FP1-00000000-0-00000000-nobody\"")
    func outcome(_ text: String?) throws -> CheckFinding.Outcome {
      try play(path, session, text.map { Data($0.utf8) }, device: device)
    }
    let lines = text.split(separator: "\n")
    #expect(try outcome(text) == .passed(note: "\(lines.count) calls"))
    let wrong = try outcome(text.replacing("retry", with: "60"))
    #expect("\(wrong)".contains("of the calls, touch, came to"), "\(wrong)")
    let cut = try outcome(lines.dropLast().joined(separator: "\n"))
    #expect("\(cut)".contains("not played to its end"), "\(cut)")
    guard case .notRun(let reason) = try outcome(nil) else {
      Issue.record("a chip without calls was played")
      return
    }
    #expect(reason.contains("FILE.calls"), "\(reason)")
  }

  @Test(
    "a text that holds no calls is refused with its line",
    arguments: [
      ("", "holds no calls"), ("# nothing", "holds no calls"),
      ("dance", "line 1 of the calls is no call"),
      ("capture = 1x1\nenroll", "line 1 of the calls, capture, came to 96x112, not to 1x1"),
      ("identify \"ada", "line 1 of the calls has a quotation without an end"),
      ("identify 0", "is no name of a template"),
      ("identify " + String(repeating: "00", count: 65), "is no name of a template"),
      ("capture\nlist", "line 2 of the calls: the sensor does not match on the chip"),
      (String(repeating: "#", count: 70_000), "cannot be read as UTF-8 text"),
      ("\u{0}", "is no call"),
      ("dance wildly", "line 1 of the calls is no call"),
      ("capture =", "line 1 of the calls, capture, came to 96x112, not to nothing"),
      ("capture\ncapture", "line 2 of the calls, capture, came to ac_err_protocol"),
    ])
  func hostile(calls: String, words: String) throws {
    let outcome = try play(Self.template, Self.traffic, Data(calls.utf8))
    #expect("\(outcome)".contains(words), "\(outcome)")
  }

  @Test("captures of a reader of images can be named too, and bytes that are no text cannot")
  func images() throws {
    #expect(
      try play(Self.template, Self.traffic, Data("capture = 96x112".utf8))
        == .passed(note: "1 call"))
    let outcome = try play(Self.template, Self.traffic, Data([0xFF, 0xFE, 0x00]))
    #expect("\(outcome)".contains("cannot be read as UTF-8 text"), "\(outcome)")
  }

  @Test("a session whose last requests are not made did not play to its end")
  func rest() throws {
    let outcome = try play(
      Self.template, Self.traffic + Data("control 40 01 0000 0000 0 =\n".utf8),
      Data("capture = 96x112".utf8))
    #expect("\(outcome)".contains("closed at line 12, before its end"), "\(outcome)")
  }

  @Test("a read that timed out before the finger came is no end of the session")
  func waiting() throws {
    let touch = "submit touch interrupt 81 8\ncontrol 40 01 0001 0000 0 =\n"
    let traffic = BuiltDriverTests.traffic(imageBytes: 8 + 96 * 112)
      .replacing(touch, with: touch.replacing("touch", with: "early") + touch)
    #expect(
      try play(
        Self.template, Data(traffic.utf8), Data("capture = ac_err_timeout 96x112".utf8))
        == .passed(note: "1 call"))
  }

  @Test(
    "what is wrong with a driver whose reader is unplugged shows on a recording",
    arguments: ["CRASHES_WHEN_GONE", "INVENTS_STATUS", "HIDES_GONE"], [nil, "capture = 96x112"])
  func faults(macro: String, calls: String?) throws {
    let folder = try TemporaryFolder()
    let driver = try Sources.compile(
      "Tests/HostingTests/DriverKit/Fixtures/broken.c", [macro], as: "broken.so", in: folder)
    let outcome = try play(driver, Self.traffic, calls.map { Data($0.utf8) })
    #expect("\(outcome)".contains("while unplugged at call"), "\(outcome)")
  }

  private static let traffic = Data(BuiltDriverTests.traffic(imageBytes: 8 + 96 * 112).utf8)
}
