import DriverKit
import Foundation
import PluginHosting
import TestSupport
import Testing

@Suite("X3: the kit says how to find a leak")
struct LeakAdviceTests {
  private static var hasTools: Bool {
    ["valgrind", "strip"].allSatisfy { tool in
      (try? Sources.run(["sh", "-c", "command -v " + tool]))?.status == 0
    }
  }

  @Test(
    "the command of the advice names the function that leaks",
    .enabled(if: hasTools, "valgrind and strip are not installed"),
    arguments: [("LEAKS_MEMORY", "broken_open"), ("LEAKS_IN_CAPTURE", "broken_capture")])
  func command(macro: String, function: String) throws {
    let folder = try TemporaryFolder()
    let driver = try Sources.compile(
      "Tests/HostingTests/DriverKit/Fixtures/broken.c", [macro], as: "broken.so", in: folder)
    let model = try Sources.compile(
      "Drivers/Template/template-model.c", as: "broken-model.so", in: folder)
    let findings = try DriverExamination(
      driver, device: CheckedDevice(model: model), options: [], in: .current(isService: false)
    ).run([.repetition])
    guard case .failed(_, let advice?) = findings.first?.outcome,
      let start = advice.range(of: "valgrind -q")
    else {
      Issue.record("no leak was found: \(findings)")
      return
    }
    // As installed: valgrind cannot read what the compiler of Swift says to debuggers.
    var command = String(advice[start.lowerBound...])
    for name in ["authcore-check-driver", "libauthcore-transport-simulated.so"] {
      let stripped = folder.file(name)
      let built = try #require(
        command.split(separator: " ").first { $0.hasSuffix("/" + name) })
      let run = try Sources.run(["strip", "--strip-unneeded", "-o", stripped, String(built)])
      try #require(run.status == 0, "\(run.output)")
      command = command.replacing(built, with: stripped)
    }
    let run = try Sources.run([
      "env", "LD_LIBRARY_PATH=" + Sources.products, "sh", "-c", command,
    ])
    #expect(run.output.contains("definitely lost"), "\(run.output)")
    #expect(run.output.contains(": " + function + " ("), "\(run.output)")
  }
}
