import LinuxSystem
import Protocol
import Testing

@testable import AuthCore
@testable import PluginHosting

@Suite("X6: which sensor that matches on the chip is which")
struct ChipIdentityTests {
  private static let summary = ChipSummary(abilities: 3, capacity: 10, nameBytes: 32, touches: 8)

  private func chip(
    _ path: String, named name: String = "moc", on source: DeviceSource? = nil, serial: String = ""
  ) throws -> ChipDevice {
    let driver = InstalledDriver(
      file: try TrustedFile(checking: path),
      description: DriverDescription(
        abiVersion: 1 << 16, name: name, fullName: name, version: "1", usbMatches: [],
        scanType: .press, width: 0, height: 0, pixelsPerInch: 0, flags: [.matchesOnChip],
        options: [], realOption: nil))
    return try SelectedSensor(choice: DriverChoice(driver: driver, isReplay: false), source: source)
      .chip(Self.summary, serial: serial)
  }

  @Test(
    "FINDINGS A8: a driver of the same name in another file inherits no fingers, an update keeps them",
    arguments: [nil, .usb(.alpha), .simulated(settings: "")] as [DeviceSource?])
  func driver(source: DeviceSource?) throws {
    let known = try chip("/bin/true", on: source)
    #expect(try chip("/bin/false", on: source).identity != known.identity)
    #expect(try chip("/bin/true", named: "renamed", on: source).identity == known.identity)
  }

  @Test("the device, its port and its serial number are part of it")
  func device() throws {
    let known = try chip("/bin/true", on: .usb(.alpha)).identity
    #expect(try chip("/bin/true", on: .usb(.beta)).identity != known)
    #expect(try chip("/bin/true", on: .usb(.alpha), serial: "1").identity != known)
    let moved = USBPresence(match: .alpha, bus: 1, address: 4, place: .builtIn, port: "1-9")
    #expect(try chip("/bin/true", on: .usb(moved)).identity != known)
  }

  @Test("FINDINGS A8: only what was seen built in cannot be unplugged")
  func plug() throws {
    #expect(try chip("/bin/true", on: .usb(.alpha)).isBuiltIn)
    for source in [nil, .usb(.beta), .simulated(settings: "")] as [DeviceSource?] {
      #expect(try !chip("/bin/true", on: source).isBuiltIn)
    }
  }
}
