/// Reads DER element by element (X.690). Holds only positions and no bytes, so it also serves for
/// secrets.
///
/// Every method gives nil for anything but DER, and never reads beyond the bytes.
package struct DERReader {
  package private(set) var rest: Range<Int>

  package init(_ range: Range<Int>) { rest = range }

  package var isAtEnd: Bool { rest.isEmpty }

  package static let sequence: UInt8 = 0x30
  package static let integer: UInt8 = 0x02

  /// Reads the next element, and returns the position of its content.
  /// - Returns: nil if it has another tag, or a length that is not minimal or goes beyond the end.
  package mutating func read(_ tag: UInt8, in bytes: Span<UInt8>) -> Range<Int>? {
    guard rest.upperBound <= bytes.count, rest.count >= 2, bytes[rest.lowerBound] == tag else {
      return nil
    }
    var start = rest.lowerBound + 2
    var count = Int(bytes[rest.lowerBound + 1])
    if count >= 0x80 {
      let octets = count & 0x7F
      // Four octets reach 4 GiB, more than any caller takes.
      guard 1...4 ~= octets, rest.upperBound - start >= octets, bytes[start] != 0 else {
        return nil
      }
      count = (start..<start + octets).reduce(0) { $0 << 8 | Int(bytes[$1]) }
      start += octets
      guard count >= 0x80 else { return nil }
    }
    guard count <= rest.upperBound - start else { return nil }
    rest = start + count..<rest.upperBound
    return start..<start + count
  }

  /// The position of the magnitude of the next element, an INTEGER that is not negative: big
  /// endian, without leading zeros; empty for 0.
  package mutating func readMagnitude(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let content = read(Self.integer, in: bytes), let first = content.first,
      bytes[first] < 0x80
    else { return nil }
    guard bytes[first] == 0 else { return content }
    // Only a number with its highest bit set has a leading zero.
    guard content.count == 1 || bytes[first + 1] >= 0x80 else { return nil }
    return first + 1..<content.upperBound
  }
}

/// Writes the headers of DER elements (X.690). The caller copies the content, which may be secret,
/// once.
package enum DERWriter {
  /// The octets of an element with `count` octets of content.
  package static func size(ofContent count: Int) -> Int { 1 + length(count).count + count }

  /// Tag and length.
  package static func header(_ tag: UInt8, count: Int) -> [UInt8] { [tag] + length(count) }

  /// Tag and length of an INTEGER, and a zero octet if the magnitude is empty or has its highest
  /// bit set. The magnitude is big endian, without leading zeros.
  package static func integerHeader(_ magnitude: Span<UInt8>) -> [UInt8] {
    let needsZero = magnitude.isEmpty || magnitude[0] >= 0x80
    return header(DERReader.integer, count: magnitude.count + (needsZero ? 1 : 0))
      + (needsZero ? [0] : [])
  }

  private static func length(_ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [UInt8(count)] }
    let octets = (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    let significant = octets.drop { $0 == 0 }
    return [0x80 | UInt8(significant.count)] + significant
  }
}
