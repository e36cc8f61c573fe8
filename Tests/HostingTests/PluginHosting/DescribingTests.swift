import Foundation
import PluginHosting
import Protocol
import TestSupport
import Testing

@Suite("Asking a driver what it is")
struct DescribingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func failure(describing macros: [String]) throws -> Failure {
    let path = try Fixture.compile("driver.c", macros, in: folder)
    let catalog = DriverCatalog(Fixture.installation())
    let failure = try #require(throws: Failure.self) { try catalog.describe(path) }
    #expect(failure.message.contains(path))
    return failure
  }

  @Test("X3: a sound driver in C is described in full")
  func soundDriver() throws {
    let driver = try Fixture.driver(in: folder)
    #expect(driver.path == folder.file("plugin.so"))
    let description = driver.description
    #expect(description.name == "fixture")
    #expect(description.fullName == "Fixture of the tests")
    #expect(description.version == "1.2")
    #expect(
      description.usbMatches == [
        .init(vendor: 0x05ba, product: 0x000a), .init(vendor: 0x05ba, product: 0x0007),
      ])
    #expect(description.scanType == .press)
    #expect([description.width, description.height, description.pixelsPerInch] == [4, 3, 500])
    #expect(description.options.map(\.name) == ["mode", "base", "data"])
    #expect(description.options.map(\.kind) == [.text, .number, .file])
    #expect(description.isSynthetic(withOptions: ["mode"]))
    #expect(!description.isSynthetic(withOptions: ["mode", "data"]))
  }

  @Test("X3: conditions of a device arrive, each where the driver says that it counts")
  func conditions() throws {
    let macros = ["FIRST_RELEASE=0x0100", "MATCH_FLAGS=AC_USB_MATCH_RELEASE"]
    #expect(
      try Fixture.driver(macros, in: folder).description.usbMatches.last
        == .init(vendor: 0x05ba, product: 0x0007, releases: 0x0100...0x0199))
    let more = "MATCH_FLAGS=AC_USB_MATCH_INTERFACE_NUMBER|AC_USB_MATCH_INTERFACE_CLASS"
    #expect(
      try Fixture.driver([macros[0], more], in: folder).description.usbMatches.last
        == .init(
          vendor: 0x05ba, product: 0x0007,
          interface: USBInterfacePattern(number: 1, classCode: 0xff)))
  }

  @Test("X3: longer elements of a later version are stepped over, and its conditions left out")
  func laterMatches() throws {
    let driver = try Fixture.driver(["LATER", "MATCH_COUNT=3"], in: folder)
    #expect(
      driver.description.usbMatches == [
        .init(vendor: 0x05ba, product: 0x000a), .init(vendor: 0x05ba, product: 0x0007),
      ])
  }

  @Test("a driver of 1.1 that forgot the sizes of its elements is read as 1.1 has them")
  func forgottenSizes() throws {
    let driver = try Fixture.driver(["MATCH_SIZE=0"], in: folder)
    #expect(driver.description.usbMatches.map(\.product) == [0x000a, 0x0007])
  }

  @Test(
    "a broken driver is refused with the file and the reason",
    arguments: [
      (["NO_SYMBOL"], "does not export ac_sensor_entry"),
      (["REFUSE"], "built for another version"),
      (
        ["VERSION=AC_ABI_VERSION(2,3)"],
        "built for version 2.3 of the plugin interface; this is 1.2"
      ),
      (["DRIVER_SIZE=24"], "its ac_sensor_driver_t says it is 24 bytes long"),
      (["DESCRIPTION_SIZE=16"], "its ac_sensor_description_t says it is 16 bytes long"),
      (["CAPTURE=NULL"], "its function capture is NULL"),
      (["NAME=\"Not a name\""], "name is not 1 to 64 of a-z, 0-9 and -"),
      (["MATCH_SIZE=3"], "usb_match_size is 3, not 4 to 1024"),
      (["MATCH_SIZE=0xffffffff"], "usb_match_size is 4294967295, not 4 to 1024"),
      (["MATCH_SIZE=0", "VERSION=AC_ABI_VERSION(1,9)"], "usb_match_size is 0"),
      (["OPTION_SIZE=8"], "option_description_size is 8, not 24 to 1024"),
      (
        ["MATCH_FLAGS=AC_USB_MATCH_RELEASE", "FIRST_RELEASE=0x0200"],
        "a USB match has bcd_device_first beyond bcd_device_last"
      ),
      (["MATCH_COUNT=1000000"], "1000000 usb_matches; at most 4096"),
      (["IN_CONSTRUCTOR=crash"], "crashed while it was loaded (in a constructor)"),
      (["IN_ENTRY=crash"], "crashed in ac_sensor_entry"),
      (["IN_ENTRY=hang"], "did not return within 6000 ms in ac_sensor_entry"),
      (["IN_CONSTRUCTOR=hang"], "did not return within 6000 ms while it was loaded"),
      (["IN_CONSTRUCTOR=threads"], "ran 101 threads at once"),
      (["IN_ENTRY=exit"], "ended its process with status 7 in ac_sensor_entry"),
    ])
  func brokenDriver(macros: [String], reason: String) throws {
    let failure = try failure(describing: macros)
    #expect(failure.code == .driverFailed)
    #expect(failure.message.contains(reason), "\(failure.message)")
  }

  @Test(
    "a driver that reaches out before it is even described is stopped, and the call is named",
    arguments: [
      (["IN_CONSTRUCTOR=socket"], "socket while it was loaded"),
      (["IN_CONSTRUCTOR=exec"], "execve while it was loaded"),
      (["IN_CONSTRUCTOR=fork"], "clone, to start a process while it was loaded"),
      (["IN_ENTRY=socket"], "socket in ac_sensor_entry"),
      (["IN_ENTRY=exec"], "execve in ac_sensor_entry"),
      (["IN_ENTRY=fork"], "clone, to start a process in ac_sensor_entry"),
      (["IN_ENTRY=kill"], "kill in ac_sensor_entry"),
    ])
  func trappedDriver(macros: [String], call: String) throws {
    let failure = try failure(describing: macros)
    #expect(failure.message.contains("made the system call \(call)"), "\(failure.message)")
  }

  @Test("a text file is no driver")
  func textFile() throws {
    let path = try folder.write("driver.so", "Dear loader, I am a driver.")
    let catalog = DriverCatalog(Fixture.installation())
    let failure = try #require(throws: Failure.self) { try catalog.describe(path) }
    #expect(failure.code == .driverFailed)
    #expect(failure.message.hasPrefix("Cannot load \(path): "))
    #expect(
      failure.message.contains("invalid ELF header") || failure.message.contains("file too short"))
  }

  @Test("a driver is asked once for each state of its file, also across processes")
  func cache() throws {
    let cacheFile = folder.file("descriptions")
    let path = try Fixture.compile("driver.c", in: folder)
    let installation = Fixture.installation()
    let first = try DriverCatalog(installation, cacheFile: cacheFile).describe(path)
    // Without authcore-host nobody can be asked: what is answered now was remembered.
    let deaf = Installation(executableFolder: folder.path)
    #expect(try DriverCatalog(deaf, cacheFile: cacheFile).describe(path) == first)
    _ = try Fixture.compile("driver.c", ["NAME=\"renamed\""], in: folder)
    let renamed = try DriverCatalog(installation, cacheFile: cacheFile).describe(path)
    #expect(renamed.description.name == "renamed")
  }

  @Test("a cache that others can write, or that is damaged, is not believed")
  func untrustedCache() throws {
    let cacheFile = folder.file("descriptions")
    let path = try Fixture.compile("driver.c", in: folder)
    let installation = Fixture.installation()
    _ = try DriverCatalog(installation, cacheFile: cacheFile).describe(path)
    let deaf = Installation(executableFolder: folder.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: cacheFile)
    #expect(throws: Failure.self) {
      try DriverCatalog(deaf, cacheFile: cacheFile).describe(path)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: cacheFile)
    try Data([0, 0, 0, 200, 1]).write(to: URL(fileURLWithPath: cacheFile))
    #expect(throws: Failure.self) {
      try DriverCatalog(deaf, cacheFile: cacheFile).describe(path)
    }
    #expect(try DriverCatalog(installation, cacheFile: cacheFile).describe(path).path == path)
  }
}
