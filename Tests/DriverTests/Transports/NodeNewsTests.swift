import Foundation
import SensorKit
import Testing

@testable import USBTransport

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
