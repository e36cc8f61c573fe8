/// The packets of a pcapng file (draft-ietf-opsawg-pcapng), in order. Total: any bytes give packets
/// or an error.
package struct PcapngReader {
  /// A packet as it lies in the file.
  package struct Packet {
    /// Counted from 1, as Wireshark does.
    package let number: Int
    /// What its bytes are: `LINKTYPE_…` of tcpdump.org/linktypes.html.
    package let linkType: UInt16
    /// The bytes, in the order of the machine that wrote the file.
    package let bytes: OrderedBytes
    /// Whether the capturing program left bytes out.
    package let isCutOff: Bool
  }

  private struct Interface {
    let linkType: UInt16
    let snapLength: Int
  }

  /// The first four bytes of every pcapng file; the same in either byte order.
  package static let signature: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]

  private var rest: ArraySlice<UInt8>
  private var order: OrderedBytes.Order?
  private var interfaces: [Interface] = []
  private var count = 0

  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// The next packet; nil at the end of the file.
  package mutating func next() throws(CaptureError) -> Packet? {
    while !rest.isEmpty {
      let block = try nextBlock()
      switch block.type {
      case 0x0A0D_0D0A: interfaces = []
      case 1: try readInterface(block.body)
      case 3: return try readSimplePacket(block.body)
      case 6: return try readEnhancedPacket(block.body)
      // Names, statistics and whatever a program added for itself.
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

  /// The order that the magic number of a section says; nil where there is none.
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
  /// The last packet that was read, counted from 1; 0 before the first.
  package let packet: Int
  /// A sentence without a full stop.
  package let reason: String

  package init(packet: Int, reason: String) {
    (self.packet, self.reason) = (packet, reason)
  }
}
