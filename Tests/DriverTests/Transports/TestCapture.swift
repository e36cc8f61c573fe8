import SensorKit
import USBCapture

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
