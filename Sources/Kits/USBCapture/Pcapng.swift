/// Bytes that hold numbers, in the byte order of the machine that wrote them. Positions are counted
/// from 0. Reading beyond the end gives nil.
package struct OrderedBytes {
  package enum Order: Sendable {
    case little, big
  }

  package let bytes: ArraySlice<UInt8>
  private let order: Order

  package init(_ bytes: ArraySlice<UInt8>, _ order: Order) {
    (self.bytes, self.order) = (bytes, order)
  }

  func uint8(at position: Int) -> UInt8? {
    position < bytes.count ? bytes[bytes.startIndex + position] : nil
  }

  package func uint16(at position: Int) -> UInt16? {
    number(at: position, count: 2).map { UInt16(truncatingIfNeeded: $0) }
  }

  func uint32(at position: Int) -> UInt32? {
    number(at: position, count: 4).map { UInt32(truncatingIfNeeded: $0) }
  }

  func uint64(at position: Int) -> UInt64? {
    number(at: position, count: 8)
  }

  package func part(from position: Int, count: Int) -> OrderedBytes? {
    guard position <= bytes.count, count <= bytes.count - position else { return nil }
    return OrderedBytes(bytes.dropFirst(position).prefix(count), order)
  }

  private func number(at position: Int, count: Int) -> UInt64? {
    guard let part = part(from: position, count: count)?.bytes else { return nil }
    return switch order {
    case .little: part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    case .big: part.reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

/// Reads the packets of a pcapng file (draft-ietf-opsawg-pcapng) in order. Any bytes give packets
/// or an error.
package struct PcapngReader {
  package struct Packet {
    /// Counted from 1, as Wireshark does.
    package let number: Int
    /// The kind of its bytes: `LINKTYPE_…`.
    package let linkType: UInt16
    package let bytes: OrderedBytes
    /// Whether the program that captured it left bytes out.
    package let isCutOff: Bool
  }

  private struct Interface {
    let linkType: UInt16
    let snapLength: Int
  }

  /// The first four bytes of every pcapng file, in either byte order.
  package static let signature: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]

  private var rest: ArraySlice<UInt8>
  private var order: OrderedBytes.Order?
  private var interfaces: [Interface] = []
  private var count = 0

  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// The next packet, or nil at the end of the file.
  package mutating func next() throws(CaptureError) -> Packet? {
    while !rest.isEmpty {
      let block = try nextBlock()
      switch block.type {
      case 0x0A0D_0D0A: interfaces = []
      case 1: try readInterface(block.body)
      case 3: return try readSimplePacket(block.body)
      case 6: return try readEnhancedPacket(block.body)
      // Names, statistics, and what a program added for itself.
      default: break
      }
    }
    return nil
  }

  private mutating func nextBlock() throws(CaptureError) -> (type: UInt32, body: OrderedBytes) {
    if rest.starts(with: Self.signature) { order = byteOrder() }
    guard let order else { throw error("it is not a pcapng file") }
    let bytes = OrderedBytes(rest, order)
    guard let type = bytes.uint32(at: 0), let length = bytes.uint32(at: 4).map({ Int($0) }),
      length >= 12, length.isMultiple(of: 4), length <= rest.count,
      bytes.uint32(at: length - 4).map({ Int($0) }) == length
    else { throw error("the file is damaged or cut off after packet \(count)") }
    let body = OrderedBytes(rest.dropFirst(8).prefix(length - 12), order)
    rest = rest.dropFirst(length)
    return (type, body)
  }

  /// The byte order by the magic number of a section.
  private func byteOrder() -> OrderedBytes.Order? {
    switch OrderedBytes(rest, .little).uint32(at: 8) {
    case 0x1A2B_3C4D: .little
    case 0x4D3C_2B1A: .big
    default: nil
    }
  }

  private mutating func readInterface(_ body: OrderedBytes) throws(CaptureError) {
    guard let linkType = body.uint16(at: 0), let snapLength = body.uint32(at: 4) else {
      throw error("an interface description is too short")
    }
    interfaces.append(Interface(linkType: linkType, snapLength: Int(snapLength)))
  }

  private mutating func readEnhancedPacket(_ body: OrderedBytes) throws(CaptureError) -> Packet {
    guard let index = body.uint32(at: 0), let captured = body.uint32(at: 12),
      let original = body.uint32(at: 16), Int(index) < interfaces.count
    else { throw error("packet \(count + 1) has no valid head") }
    return try packet(
      interfaces[Int(index)], body, from: 20, captured: Int(captured), original: Int(original))
  }

  private mutating func readSimplePacket(_ body: OrderedBytes) throws(CaptureError) -> Packet {
    guard let original = body.uint32(at: 0).map({ Int($0) }), let interface = interfaces.first
    else { throw error("packet \(count + 1) has no valid head") }
    let limit = interface.snapLength == 0 ? original : interface.snapLength
    return try packet(
      interface, body, from: 4, captured: min(original, limit), original: original)
  }

  private mutating func packet(
    _ interface: Interface, _ body: OrderedBytes, from start: Int, captured: Int, original: Int
  ) throws(CaptureError) -> Packet {
    guard let bytes = body.part(from: start, count: captured) else {
      throw error("packet \(count + 1) is longer than the block it is in")
    }
    count += 1
    return Packet(
      number: count, linkType: interface.linkType, bytes: bytes, isCutOff: captured < original)
  }

  private func error(_ reason: String) -> CaptureError {
    CaptureError(packet: count, reason: reason)
  }
}

/// Why a capture cannot be read.
package struct CaptureError: Error, Equatable, Sendable {
  /// The last packet that was read, counted from 1, or 0 before the first.
  package let packet: Int
  /// A sentence without a final period.
  package let reason: String
}

/// Writes the blocks of a pcapng file with one interface, little-endian.
package enum PcapngWriter {
  /// The beginning of a file whose packets have one link type.
  package static func head(linkType: UInt16) -> [UInt8] {
    var section: [UInt8] = []
    section.append(littleEndian: UInt32(0x1A2B_3C4D))
    section.append(littleEndian: UInt16(1))
    section.append(littleEndian: UInt16(0))
    section.append(littleEndian: UInt64.max)  // the section's length is unknown
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
