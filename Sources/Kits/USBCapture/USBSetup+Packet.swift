package import SensorKit

extension USBSetup {
  /// The eight bytes as they go over the wire: USB 2.0, section 9.3.
  package var packet: [UInt8] {
    var bytes = [type, request]
    bytes.append(littleEndian: value)
    bytes.append(littleEndian: index)
    bytes.append(littleEndian: length)
    return bytes
  }

  /// Reads the eight bytes; nil where there are fewer.
  package init?(packet: ArraySlice<UInt8>) {
    let bytes = OrderedBytes(packet, .little)
    guard let type = bytes.uint8(at: 0), let request = bytes.uint8(at: 1),
      let value = bytes.uint16(at: 2), let index = bytes.uint16(at: 4),
      let length = bytes.uint16(at: 6)
    else { return nil }
    self.init(type: type, request: request, value: value, index: index, length: length)
  }

  /// Whether it is one of chapter 9 of USB 2.0, which the kernel sends too.
  package var isStandard: Bool { type & 0x60 == 0 }
}

extension [UInt8] {
  /// Appends a number, little-endian.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
