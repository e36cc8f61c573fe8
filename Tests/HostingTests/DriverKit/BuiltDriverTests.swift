import DriverKit
import Foundation
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("X3: the drivers of this build and the conformance kit")
struct BuiltDriverTests {
  /// The drivers with a device model beside them.
  static var drivers: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Sources.products)) ?? []
    return names.filter { name in
      name.hasPrefix("libauthcore-driver-") && name.hasSuffix(".so")
        && CheckedDevice.model(beside: Sources.products + "/" + name) != nil
    }.sorted()
  }

  /// Those but the ones that take half a minute without the optimizer: each driver's own tests make
  /// every fault at every call.
  private static let checks = DriverCheck.allCases.filter { check in
    ![.stalls, .shortAnswers, .garbage, .hesitation, .silence].contains(check)
  }

  @Test("every driver with a device model passes the checks", arguments: drivers)
  func passes(_ name: String) throws {
    let path = Sources.products + "/" + name
    let findings = try DriverExamination(
      path, device: CheckedDevice(model: CheckedDevice.model(beside: path)), options: [],
      in: .current(isService: false)
    ).run(Self.checks)
    #expect(findings.filter(\.isFailure) == [])
    let notRun = findings.filter { finding in
      if case .notRun = finding.outcome { true } else { false }
    }
    let scanType = try DriverCatalog(.current(isService: false)).describe(path).description
      .scanType
    #expect(notRun.map(\.check) == (scanType == .swipe ? [.lifting, .recording] : [.recording]))
  }

  @Test("the template is among them")
  func some() {
    #expect(Self.drivers.contains("libauthcore-driver-template.so"))
  }

  @Test("recorded traffic is played, and a model checks the rest")
  func recording() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("touch.usb")
    try Self.traffic(imageBytes: 8 + 96 * 112).write(
      toFile: file, atomically: true, encoding: .utf8)
    let driver = Sources.products + "/libauthcore-driver-template.so"
    func outcome(_ device: CheckedDevice) throws -> [CheckFinding.Outcome] {
      try DriverExamination(driver, device: device, options: [], in: .current(isService: false))
        .run([.recording, .opening]).map(\.outcome)
    }
    let both = try outcome(
      CheckedDevice(model: CheckedDevice.model(beside: driver), recording: file))
    #expect(both[0] == .passed(note: "96 × 112 px"))
    guard case .passed = both[1] else {
      Issue.record("opening: \(both[1])")
      return
    }
    guard case .notRun = try outcome(CheckedDevice(recording: file))[1] else {
      Issue.record("a recording alone cannot be opened twice")
      return
    }
    try Self.traffic(imageBytes: 100).write(toFile: file, atomically: true, encoding: .utf8)
    guard case .failed = try outcome(CheckedDevice(recording: file))[0] else {
      Issue.record("half an image is no frame")
      return
    }
    try Self.traffic(imageBytes: 8).replacing("40 01 0002", with: "40 01 0007")
      .write(toFile: file, atomically: true, encoding: .utf8)
    guard case .failed(let reason, _) = try outcome(CheckedDevice(recording: file))[0] else {
      Issue.record("the recording has other requests than the driver")
      return
    }
    #expect(
      reason.contains(
        "The recording, line 9: expected control 40 01 0007 0000 0, got control 40 01 0002 0000 0"),
      "\(reason)")
  }

  /// Opening, one touch and closing, in the words of docs/recordings.md.
  private static func traffic(imageBytes count: Int) -> String {
    """
    authcore-usb-recording 1
    device 1209:0001 0100
    interface 0 ff ff ff 81 82
    control c0 02 0000 0000 4 = 60 70 01 01
    submit touch interrupt 81 8
    control 40 01 0001 0000 0 =
    complete touch = 01 00*7
    submit image bulk 82 10760
    control 40 01 0002 0000 0 =
    complete image = 49 00*\(count - 1)
    control 40 01 0000 0000 0 =

    """
  }
}
