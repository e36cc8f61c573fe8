import DriverKit
import Foundation
import PluginHosting
import Protocol
import TestSupport
import Testing

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
