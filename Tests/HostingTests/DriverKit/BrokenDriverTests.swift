import DriverKit
import Foundation
import PluginHosting
import TestSupport
import Testing

@Suite("X3: the conformance kit finds what is wrong with a driver")
struct BrokenDriverTests {
  /// What is wrong, which check finds it, and words of what it says.
  struct Case: CustomTestStringConvertible {
    let macro: String
    let check: DriverCheck
    let words: String

    init(_ macro: String, _ check: DriverCheck, _ words: String) {
      self.macro = macro
      self.check = check
      self.words = words
    }

    var testDescription: String { macro }
  }

  static let cases = [
    Case("TWO_SYMBOLS", .symbols, "my_helper"),
    Case("IMPORTS", .symbols, "ac_host_internal"),
    Case(
      "IN_CONSTRUCTOR=close(open(\"root.key\",O_RDONLY))", .loading,
      "opened root.key while it was loaded"),
    Case("IN_CONSTRUCTOR=dup(1)", .loading, "left 1 more descriptor"),
    Case("IN_CONSTRUCTOR=dup(1)", .sandbox, "while it was loaded it left descriptor"),
    Case(
      "IN_CONSTRUCTOR=pthread_t id;pthread_create(&id,NULL,wait_for_ever,NULL)", .loading,
      "started a thread"),
    Case(
      "IN_CONSTRUCTOR=mmap(NULL,4096,7,MAP_PRIVATE|MAP_ANONYMOUS,-1,0)", .loading,
      "both written and executed"),
    Case("BAD_NAME", .layout, "Bad Name"),
    Case("BAD_NAME", .sandbox, "name is not"),
    Case("SMALL_STRUCT", .layout, "struct_size of its ac_sensor_driver_t is 8"),
    Case("SMALL_MATCH", .layout, "usb_match_size is 4"),
    Case("NO_CAPTURE", .layout, "capture is NULL"),
    Case("OTHER_VERSION", .layout, "abi_version is 2.0"),
    Case("ANY_VERSION", .versions, "version 2.0 got AC_OK"),
    Case("FOLLOWS_NULL", .arguments, "signal 11 (Segmentation fault) in capture with a sensor"),
    Case("CLOSES_NULL", .arguments, "in close(NULL)"),
    Case("WRITES_SENSOR_ON_FAILURE", .opening, "wrote *ret_sensor"),
    Case("KEEPS_INTERFACE", .opening, "did not release interface 0"),
    Case("FORGETS_LIFT", .lifting, "second frame of a finger that was not lifted"),
    Case("MISSES_LIFT", .lifting, "once the finger was lifted gave a frame"),
    Case("EMPTY_FRAME", .frames, "0 × 0 pixels"),
    Case("WIDE_FRAME", .frames, "100000 × 1 pixels"),
    Case("SHORT_FRAME", .frames, "says that it has 10751"),
    Case("OTHER_FRAME", .frames, "the description promises"),
    Case("WRITES_PAST_FRAME", .frames, "beyond the struct_size"),
    Case("ASSIGNS_FRAME", .frames, "beyond the struct_size"),
    Case("FEW_EXTENTS", .frames, "it has 111 row extents for 112 rows"),
    Case("CROSSED_EXTENTS", .frames, "the extent of row 7 goes from column 1 to 0"),
    Case("FREES_PIXELS", .frames, "pixels of a frame changed"),
    Case("RETURNS_EARLY", .deadlines, "returned after 0 ms"),
    Case("FORGETS_TIMEOUT", .deadlines, "3000 ms late"),
    Case("WRITES_FRAME_ON_FAILURE", .deadlines, "wrote into ret_frame"),
    Case("IGNORES_INTERRUPT", .interruption, "not AC_ERR_INTERRUPTED"),
    Case("HANGS_ON_INTERRUPT", .interruption, "did not return within"),
    Case("USES_THREAD", .threads, "on a thread of its own"),
    Case("LEAVES_READ", .threads, "left 1 queued read pending"),
    Case("LEAKS_THREADS", .threads, "left 1 thread running"),
    Case("LEAKS_MEMORY", .repetition, "bytes allocated"),
    Case("LEAKS_DESCRIPTORS", .repetition, "900 descriptors open"),
    Case(
      "CRASHES_WHEN_GONE", .unplugging, "signal 11 (Segmentation fault) in capture, while unplugged"
    ),
    Case("HANGS_WHEN_GONE", .unplugging, "did not return within"),
    Case("HIDES_GONE", .unplugging, "not AC_ERR_GONE"),
    Case("INVENTS_STATUS", .unplugging, "capture returned -1"),
    Case("EXITS", .frames, "ended the process with status 0 in capture"),
    Case("EXITS", .process, "ended the process with status 0"),
    Case("CHANGES_MASK", .process, "changed the signal mask"),
    Case("CHANGES_HANDLER", .process, "handler of signal 10"),
    Case("PRINTS", .output, "captured"),
  ]

  @Test("each broken rule is found by name", arguments: cases)
  func broken(_ example: Case) throws {
    // What is seen beside a check needs one to be seen in.
    let findings = try examine(
      example.macro, example.check.need.isOtherChecks ? [.frames, example.check] : [example.check])
    let finding = try #require(findings.last)
    guard case .failed(let reason, _) = finding.outcome else {
      Issue.record("\(example.macro) was not found: \(finding.outcome)")
      return
    }
    #expect(reason.contains(example.words))
  }

  /// A mistake, the check that finds it first, and those that would find it again.
  @Test(
    "what one mistake makes fail is said once: the checks after it say in which one it was found",
    arguments: [
      ("LEAVES_READ", DriverCheck.opening, [.deadlines, .threads, .repetition]),
      ("KEEPS_INTERFACE", .opening, [.frames, .threads, .repetition, .unplugging]),
      ("EMPTY_FRAME", .frames, [.lifting, .deadlines, .interruption, .garbage]),
      ("GIVES_NO_FRAME", .frames, [.lifting, .interruption]),
      ("EXITS", .frames, [.lifting, .deadlines, .repetition, .stalls]),
    ] as [(String, DriverCheck, [DriverCheck])])
  func saidOnce(macro: String, first: DriverCheck, others: [DriverCheck]) throws {
    let findings = try examine(macro, [.arguments, first] + others)
    #expect(findings.map(\.isFailure).prefix(2) == [macro == "EXITS", true], "\(findings)")
    for finding in findings.dropFirst(2) {
      #expect(
        finding.outcome == .notRun(reason: "since \(first.rawValue) fails in the same way"),
        "\(finding)")
    }
  }

  @Test("a driver that writes to the log without end hides no verdict, and fills no report")
  func floodedLog() throws {
    var lines: [CheckLogLine] = []
    let findings = try examine("FLOODS_LOG", [.frames], logs: true) { event in
      if case .log(.frames, let line) = event { lines.append(line) }
    }
    #expect(findings.map(\.outcome) == [.passed(note: "96 × 112 px")])
    #expect(lines.count == 1000)
    #expect(lines.first?.speaker == "driver" && lines.first?.level == "debug")
    #expect(lines.last?.text.contains("left out") == true)
  }

  private func examine(
    _ macro: String, _ checks: [DriverCheck], logs: Bool = false,
    hear: (DriverExamination.Event) -> Void = { _ in }
  ) throws -> [CheckFinding] {
    let folder = try TemporaryFolder()
    let driver = try Sources.compile(
      "Tests/HostingTests/DriverKit/Fixtures/broken.c", [macro], as: "broken.so", in: folder)
    let model = try Sources.compile(
      "Drivers/Template/template-model.c", as: "broken-model.so", in: folder)
    return try DriverExamination(
      driver, device: CheckedDevice(model: model), options: [], in: .current(isService: false),
      // Only what hangs takes as long as is waited for.
      logs: logs, timeoutMilliseconds: macro.hasPrefix("HANGS") ? 2000 : 120_000
    ).run(checks, hear: hear)
  }

  @Test("a crash in one check hides no other")
  func crashHidesNothing() throws {
    let findings = try examine("CRASHES_WHEN_GONE", [.unplugging, .stalls, .garbage])
    #expect(findings.map(\.isFailure) == [true, false, false])
  }

  @Test("without a device what needs one is listed as not run, and the rest is run")
  func noDevice() throws {
    let folder = try TemporaryFolder()
    let driver = try Sources.compile("Drivers/Template/template.c", as: "alone.so", in: folder)
    #expect(CheckedDevice.model(beside: driver) == nil)
    let findings = try DriverExamination(
      driver, device: CheckedDevice(), options: [], in: .current(isService: false)
    ).run()
    let notRun = findings.filter { finding in
      if case .notRun = finding.outcome { true } else { false }
    }
    #expect(findings.filter(\.isFailure).isEmpty)
    #expect(notRun.map(\.check).contains(.unplugging))
    #expect(findings.count - notRun.count >= 6)
  }

  @Test("a file that is no plugin fails, and nothing else is tried")
  func noPlugin() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("text.so")
    try "not a shared object".write(toFile: path, atomically: true, encoding: .utf8)
    let findings = try DriverExamination(
      path, device: CheckedDevice(), options: [], in: .current(isService: false)
    ).run([.symbols, .layout, .frames])
    #expect(findings.map(\.isFailure) == [true, false, false])
  }
}

extension DriverCheck.Need {
  fileprivate var isOtherChecks: Bool {
    if case .otherChecks = self { true } else { false }
  }
}
