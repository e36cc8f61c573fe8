/// Bytes with numbers in them, and the byte order of the machine that wrote them. Positions are
/// counted from 0; what lies beyond the end is nil.
package struct OrderedBytes {
  /// Which byte of a number comes first.
  package enum Order: Sendable {
    case little, big
  }

  package let bytes: ArraySlice<UInt8>
  private let order: Order

  package init(_ bytes: ArraySlice<UInt8>, _ order: Order) {
    (self.bytes, self.order) = (bytes, order)
  }

  /// `position` is 0 or more.
  package func uint8(at position: Int) -> UInt8? {
    position < bytes.count ? bytes[bytes.startIndex + position] : nil
  }

  package func uint16(at position: Int) -> UInt16? {
    number(at: position, count: 2).map { UInt16(truncatingIfNeeded: $0) }
  }

  package func uint32(at position: Int) -> UInt32? {
    number(at: position, count: 4).map { UInt32(truncatingIfNeeded: $0) }
  }

  package func uint64(at position: Int) -> UInt64? {
    number(at: position, count: 8)
  }

  /// A part; nil where it would reach beyond the end.
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
