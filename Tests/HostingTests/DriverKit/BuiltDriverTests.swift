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

  /// Those but the ones that take half a minute without the optimizer if a driver reads images: its
  /// own tests make every fault at every call.
  private static let quickChecks = DriverCheck.allCases.filter { check in
    ![.stalls, .shortAnswers, .garbage, .hesitation, .silence].contains(check)
  }

  @Test("every driver with a device model passes the checks", arguments: drivers)
  func passes(_ name: String) throws {
    let path = Sources.products + "/" + name
    let facts = try DriverCatalog(.current(isService: false)).describe(path).description
    let isChip = facts.flags.contains(.matchesOnChip)
    let findings = try DriverExamination(
      path, device: CheckedDevice(model: CheckedDevice.model(beside: path)), options: [],
      in: .current(isService: false)
    ).run(isChip ? DriverCheck.allCases : Self.quickChecks)
    #expect(findings.filter(\.isFailure) == [])
    let notRun = findings.filter { finding in
      if case .notRun = finding.outcome { true } else { false }
    }
    // Their models cannot be told that a finger stays: the device demands the lift itself, or the
    // finger always leaves.
    let alwaysLeaves = ["elan", "elanchip", "synaptics", "upek"].contains(facts.name)
    #expect(notRun.map(\.check) == (alwaysLeaves ? [.lifting, .recording] : [.recording]))
  }

  @Test("the template is among them")
  func some() { #expect(Self.drivers.contains("libauthcore-driver-template.so")) }

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
  static func traffic(imageBytes count: Int) -> String {
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

@Suite("The dynamic symbols of a file")
struct SymbolTableTests {
  private func template() throws -> [UInt8] {
    try Array(
      Data(contentsOf: URL(fileURLWithPath: Sources.products + "/libauthcore-driver-template.so")))
  }

  @Test("a driver exports its entry, and imports what the C library has")
  func driver() throws {
    let table = try SymbolTable(file: template())
    #expect(table.exported == ["ac_sensor_entry"])
    #expect(table.imported.contains("calloc"))
  }

  @Test(
    "what is no ELF file is refused", arguments: [[], [0x7F, 0x45], Array("#!/bin/sh\n".utf8)])
  func noELF(_ bytes: [UInt8]) {
    #expect(throws: SymbolTable.Problem.notELF) { try SymbolTable(file: bytes) }
  }

  /// Where the headers of the sections begin; with most linkers at the end of the file.
  private func sections(of bytes: [UInt8]) -> Int {
    (0..<8).reduce(0) { $0 | Int(bytes[0x28 + $1]) << (8 * $1) }
  }

  @Test("a file cut before the headers of its sections is refused")
  func truncated() throws {
    let bytes = try template()
    for count in stride(from: 0, to: sections(of: bytes), by: 197) {
      #expect(throws: SymbolTable.Problem.self) { try SymbolTable(file: Array(bytes[..<count])) }
    }
  }

  @Test("any value in the headers gives a table or an error, never a trap")
  func damagedHeaders() throws {
    let bytes = try template()
    let start = sections(of: bytes)
    for offset in Array(0x28..<0x40) + Array(stride(from: start, to: bytes.count, by: 5)) {
      var damaged = bytes
      damaged[offset] = 0xFF
      _ = try? SymbolTable(file: damaged)
      _ = try? SymbolTable(file: Array(damaged[..<(bytes.count - offset % 64)]))
    }
  }
}

@Suite("X3: the ABI is stable")
struct StabilityTests {
  /// Built from Fixtures/driver-abi-1.0.c against the headers of version 1.0, and never again: `cc
  /// -shared -fPIC -O2 -fvisibility=hidden -std=c11 -Iinclude -s -Wl,--build-id=none
  /// -Wl,-z,noseparate-code`
  private static let binary = "Tests/HostingTests/DriverKit/Fixtures/driver-abi-1.0-x86_64.so"

  private static var isX86: Bool {
    #if arch(x86_64)
      true
    #else
      false
    #endif
  }

  @Test(
    "a driver built against the headers of 1.0 still loads and passes every check",
    .enabled(if: isX86, "the binary is for x86-64"))
  func oldDriver() throws {
    let folder = try TemporaryFolder()
    let driver = folder.file("old.so")
    // A checkout may be writable by others, which a plugin may not be.
    try FileManager.default.copyItem(atPath: Sources.folder + "/" + Self.binary, toPath: driver)
    let model = try Sources.compile(
      "Drivers/Template/template-model.c", as: "old-model.so", in: folder)
    let installation = Installation.current(isService: false)
    let description = try DriverCatalog(installation).describe(driver).description
    #expect(description.abiVersion == 1 << 16)
    #expect(description.name == "template")
    #expect(description.width == 96)
    let findings = try DriverExamination(
      driver, device: CheckedDevice(model: model), options: [], in: installation
    ).run()
    #expect(findings.filter(\.isFailure) == [])
  }
}
