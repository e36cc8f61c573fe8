/// Reads DER element by element (X.690): where in bytes the next one lies. It holds no bytes, so
/// that the same serves for secrets.
///
/// Total: every method gives nil for what is not DER, and never looks beyond the bytes.
package struct DERReader {
  /// What is left to read.
  package private(set) var rest: Range<Int>

  /// Reads a part of bytes.
  package init(_ range: Range<Int>) { rest = range }

  /// Whether everything was read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// The tag of a SEQUENCE.
  package static let sequence: UInt8 = 0x30
  /// The tag of an INTEGER.
  package static let integer: UInt8 = 0x02

  /// Where the content of the next element lies, which is passed over.
  /// - Returns: nil where it has another tag, a length that is not as short as it can be, or one that
  ///   goes beyond the end.
  package mutating func read(_ tag: UInt8, in bytes: Span<UInt8>) -> Range<Int>? {
    guard rest.upperBound <= bytes.count, rest.count >= 2, bytes[rest.lowerBound] == tag else {
      return nil
    }
    var start = rest.lowerBound + 2
    var count = Int(bytes[rest.lowerBound + 1])
    if count >= 0x80 {
      let octets = count & 0x7F
      // Four octets say 4 GiB, more than any caller takes.
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

  /// Where the magnitude of the next element lies, an INTEGER that is not negative: big endian,
  /// without zeros in front; empty for 0.
  package mutating func readMagnitude(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let content = read(Self.integer, in: bytes), let first = content.first,
      bytes[first] < 0x80
    else { return nil }
    guard bytes[first] == 0 else { return content }
    // Only a number whose highest bit is set has a zero in front of it.
    guard content.count == 1 || bytes[first + 1] >= 0x80 else { return nil }
    return first + 1..<content.upperBound
  }
}

/// What stands before the content of an element of DER (X.690): the content is copied by who has it,
/// once, and may be a secret.
package enum DERWriter {
  /// How many octets an element has whose content has `count`.
  package static func size(ofContent count: Int) -> Int { 1 + length(count).count + count }

  /// Tag and length of an element whose content has `count` octets.
  package static func header(_ tag: UInt8, count: Int) -> [UInt8] { [tag] + length(count) }

  /// What an INTEGER has before a magnitude: tag, length, and a zero octet where the highest bit of
  /// the magnitude is set or it is empty. The magnitude is big endian, without zeros in front.
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
