import SensorKit
import Testing
import USBCapture

@Suite("Packets of captures")
struct UsbmonPacketTests {
  @Test("every packet that is written is read again, and nothing else is in the file")
  func roundTrip() throws {
    var capture = TestCapture()
    capture.descriptors()
    let start = USBSetup(type: 0x40, request: 1, value: 0x102, index: 0x304, length: 2)
    capture.complete(capture.submit(.control(start, data: [9, 8])))
    capture.complete(capture.submit(.read(.interrupt(0x81), length: 8)), [1], status: -2)
    capture.complete(capture.submit(.write(.bulk(0x02), [5, 6, 7])), status: -32)
    var reader = PcapngReader(capture.bytes)
    var packets: [UsbmonPacket] = []
    while let packet = try reader.next() {
      #expect(packet.linkType == UsbmonPacket.linkType && !packet.isCutOff)
      packets.append(try #require(UsbmonPacket(packet.bytes)))
    }
    #expect(packets == capture.packets)
  }

  @Test("a file of a machine with the other byte order is read as well")
  func bigEndian() throws {
    let section: [UInt8] =
      [0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 28, 0x1A, 0x2B, 0x3C, 0x4D, 0, 1, 0, 0]
      + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 28]
    let interface: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 20, 0, 220, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20]
    let packet: [UInt8] =
      [0, 0, 0, 6, 0, 0, 0, 36] + [UInt8](repeating: 0, count: 12)
      + [0, 0, 0, 2, 0, 0, 0, 3, 0xAB, 0xCD, 0, 0, 0, 0, 0, 36]
    var reader = PcapngReader(section + interface + packet)
    let read = try #require(try reader.next())
    #expect(read.number == 1 && read.isCutOff && read.bytes.uint16(at: 0) == 0xABCD)
    #expect(try reader.next() == nil)
  }

  @Test("a configuration that was cut anywhere has the interfaces before the cut (X4)")
  func cutConfiguration() {
    let whole = TestCapture.configuration
    for length in 0...whole.count {
      let interfaces = ConfigurationDescriptor.interfaces(Array(whole.prefix(length)))
      #expect(interfaces.map(\.endpoints.count) == (length < 18 ? [] : [(length - 18) / 7]))
    }
    #expect(ConfigurationDescriptor.interfaces(whole + [4]).map(\.endpoints.count) == [3])
  }
}

/// A capture made for a test: a device at 1.5 unless told otherwise.
struct TestCapture {
  private(set) var packets: [UsbmonPacket] = []
  private var nextIdentifier: UInt64 = 1

  /// The device descriptor of 1209:0001 0103 (USB 2.0, section 9.6.1).
  static let device: [UInt8] = [
    18, 1, 0, 2, 0xFF, 0xFF, 0xFF, 64, 0x09, 0x12, 1, 0, 0x03, 0x01, 0, 0, 0, 1,
  ]
  /// One configuration with one interface, endpoints 81 and 82 in and 02 out.
  static let configuration: [UInt8] = [
    9, 2, 39, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0, 7, 5, 0x81, 3, 8, 0, 1, 7,
    5, 0x82, 2, 64, 0, 0, 7, 5, 0x02, 2, 64, 0, 0,
  ]

  /// Both descriptors, as a machine reads them when a device is plugged in.
  mutating func descriptors(_ device: [UInt8] = Self.device, address: UInt8 = 5) {
    read(.init(type: 0x80, request: 6, value: 0x100, index: 0, length: 18), device, address)
    read(
      .init(type: 0x80, request: 6, value: 0x200, index: 0, length: 9),
      Array(Self.configuration.prefix(9)), address)
    read(
      .init(type: 0x80, request: 6, value: 0x200, index: 0, length: 39), Self.configuration, address
    )
  }

  /// A control read that has ended.
  mutating func read(_ setup: USBSetup, _ bytes: [UInt8], _ address: UInt8 = 5) {
    let identifier = submit(.control(setup, data: []), address: address)
    complete(identifier, bytes)
  }

  /// A transfer begins; returns what ends it.
  mutating func submit(_ transfer: USBTransfer, address: UInt8 = 5) -> UInt64 {
    nextIdentifier += 1
    packets.append(
      UsbmonPacket(
        submissionOf: transfer, identifier: nextIdentifier, bus: 1, address: address))
    return nextIdentifier
  }

  /// A transfer ends with these bytes, read or, in number, written.
  mutating func complete(_ identifier: UInt64, _ bytes: [UInt8] = [], status: Int32 = 0) {
    guard let begun = packets.last(where: { $0.identifier == identifier }) else { return }
    packets.append(
      begun.completion(
        status: status, count: begun.isRead ? bytes.count : begun.length, bytes: bytes))
  }

  /// The file.
  var bytes: [UInt8] {
    packets.reduce(PcapngWriter.head(linkType: UsbmonPacket.linkType)) {
      $0 + PcapngWriter.packet($1.encoded(at: 1_700_000_000_000_001), at: 1_700_000_000_000_001)
    }
  }
}
