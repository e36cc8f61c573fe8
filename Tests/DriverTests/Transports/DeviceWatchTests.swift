import Foundation
import Glibc
import SensorKit
import TestSupport
import Testing
import USBTransport

@testable import USBTransport

@Suite("What the watch of USB devices tells")
struct DevicePresenceTests {
  @Test("first what is there, then that this was all, then what goes and comes")
  func order() {
    var presence = DevicePresence()
    presence.update([device(3), device(4)])
    #expect(drain(&presence) == [.arrived(device(3)), .arrived(device(4)), .settled])
    presence.update([device(3), device(4)])
    #expect(drain(&presence).isEmpty)
    presence.update([device(4), device(5)])
    #expect(drain(&presence) == [.left(device(3)), .arrived(device(5))])
  }

  @Test("without any device everything is settled at once, and said only once")
  func nothing() {
    var presence = DevicePresence()
    presence.update([])
    presence.update([])
    #expect(drain(&presence) == [.settled])
  }

  @Test("a device that comes back at another address has left before it arrives")
  func replugged() {
    var presence = DevicePresence()
    presence.update([device(9)])
    presence.update([device(2)])
    #expect(
      drain(&presence) == [.arrived(device(9)), .settled, .left(device(9)), .arrived(device(2))])
  }

  @Test("where the kernel has no USB there are no devices")
  func noBus() {
    #expect(SysfsDevices(folder: "/nonexistent").list().isEmpty)
  }

  @Test("a device is told with its interfaces, which are no part of what makes it the same one")
  func interfaces() throws {
    let folder = try TemporaryFolder()
    let attributes = [
      "1-2": [
        "idVendor": "1209", "idProduct": "0001", "bcdDevice": "0100", "busnum": "1",
        "devnum": "7", "removable": "removable", "dev": "189:6",
      ],
      "1-2:1.1": Self.interface("01", "ff", "0a", "0b"),
      "1-2:1.0": Self.interface("00", "03", "01", "02"),
      "1-2:1.2": ["bInterfaceNumber": "02"],
      "1-20:1.0": Self.interface("00", "08", "06", "50"),
    ]
    for (name, values) in attributes {
      _ = unsafe mkdir("\(folder.path)/\(name)", 0o700)
      for (attribute, value) in values { try folder.write("\(name)/\(attribute)", value + "\n") }
    }
    defer {
      for (name, values) in attributes {
        for attribute in values.keys { unsafe unlink("\(folder.path)/\(name)/\(attribute)") }
        unsafe rmdir("\(folder.path)/\(name)")
      }
    }
    let found = SysfsDevices(folder: folder.path).list().map(\.placement)
    #expect(found == [device(7)])
    #expect(
      found.first?.interfaces == [
        USBInterfaceIdentity(number: 0, classCode: 3, subclassCode: 1, protocolCode: 2),
        USBInterfaceIdentity(number: 1, classCode: 0xFF, subclassCode: 10, protocolCode: 11),
      ])
    var presence = DevicePresence()
    presence.update([device(7)])
    _ = drain(&presence)
    presence.update(found)
    #expect(drain(&presence).isEmpty)
  }

  private static func interface(
    _ number: String, _ classCode: String, _ subclassCode: String, _ protocolCode: String
  ) -> [String: String] {
    [
      "bInterfaceNumber": number, "bInterfaceClass": classCode,
      "bInterfaceSubClass": subclassCode, "bInterfaceProtocol": protocolCode,
    ]
  }

  private func device(_ address: UInt8) -> USBPlacement {
    USBPlacement(
      vendor: 0x1209, product: 1, release: 0x100, bus: 1, address: address, place: .external,
      port: "1-2")
  }

  private func drain(_ presence: inout DevicePresence) -> [USBChange] {
    var changes: [USBChange] = []
    while let change = presence.next() { changes.append(change) }
    return changes
  }
}

@Suite("Nodes of USB devices")
struct NodeNewsTests {
  @Test("a node that comes or goes is heard once, on buses that come later, too")
  func heard() throws {
    let files = FileManager.default
    let root = NSTemporaryDirectory() + "nodes-\(UUID().uuidString)"
    defer { try? files.removeItem(atPath: root) }
    func make(_ path: String) throws {
      try files.createDirectory(atPath: "\(root)/\(path)", withIntermediateDirectories: true)
    }
    try make("dev/001")
    try make("sys/usb1")
    try make("sys/usb1-port")
    let news = try #require(
      NodeNews(folder: root + "/dev", devices: SysfsDevices(folder: root + "/sys")))
    let atFirst = news.take()
    try Data().write(to: URL(filePath: root + "/dev/001/002"))
    let (came, again) = (news.take(), news.take())
    try files.removeItem(atPath: root + "/dev/001/002")
    let went = news.take()
    #expect(!atFirst && came && !again && went)
    try make("sys/usb12")
    try make("dev/012")
    let bus = news.take()
    try Data().write(to: URL(filePath: root + "/dev/012/001"))
    let later = news.take()
    #expect(bus && later)
    #expect(news.holds(device(bus: 12, address: 1)) && !news.holds(device(bus: 12, address: 2)))
  }

  private func device(bus: UInt8, address: UInt8) -> USBPlacement {
    USBPlacement(
      vendor: 1, product: 2, release: 3, bus: bus, address: address, place: .external, port: "1-1",
      interfaces: [])
  }

  @Test("where there are no nodes nobody is heard")
  func absent() {
    let isThere = NodeNews(folder: "/nowhere") != nil
    #expect(!isThere)
  }
}
