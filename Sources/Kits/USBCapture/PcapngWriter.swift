/// The blocks of a pcapng file (draft-ietf-opsawg-pcapng) with one interface, little-endian.
package enum PcapngWriter {
  /// What a file begins with whose packets are of one link type.
  package static func head(linkType: UInt16) -> [UInt8] {
    var section: [UInt8] = []
    section.append(littleEndian: UInt32(0x1A2B_3C4D))
    section.append(littleEndian: UInt16(1))
    section.append(littleEndian: UInt16(0))
    section.append(littleEndian: UInt64.max)  // the length of the section is not known
    var interface: [UInt8] = []
    interface.append(littleEndian: linkType)
    interface.append(littleEndian: UInt16(0))
    interface.append(littleEndian: UInt32(0))  // packets are never cut off
    return block(0x0A0D_0D0A, section) + block(1, interface)
  }

  /// A packet; `time` is in microseconds since 1970-01-01 UTC.
  package static func packet(_ bytes: [UInt8], at time: UInt64) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(bytes.count + 32)
    body.append(littleEndian: UInt32(0))
    body.append(littleEndian: UInt32(truncatingIfNeeded: time >> 32))
    body.append(littleEndian: UInt32(truncatingIfNeeded: time))
    body.append(littleEndian: UInt32(bytes.count))
    body.append(littleEndian: UInt32(bytes.count))
    return block(6, body + bytes)
  }

  private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let padding = (4 - body.count % 4) % 4
    let length = UInt32(body.count + padding + 12)
    var block: [UInt8] = []
    block.reserveCapacity(Int(length))
    block.append(littleEndian: type)
    block.append(littleEndian: length)
    block += body + [UInt8](repeating: 0, count: padding)
    block.append(littleEndian: length)
    return block
  }
}
