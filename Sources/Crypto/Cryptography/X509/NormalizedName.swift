/// A Name in DER whose texts can be compared byte by byte: without the difference of capital and
/// small letters of ASCII, and with single spaces (RFC 5280 §7.1).
package enum NormalizedName {
  /// Tags of UTF8String, PrintableString and IA5String: what certificates have their texts in.
  private static let texts: Set<UInt8> = [0x0C, 0x13, 0x16]
  /// Tags of SEQUENCE and SET.
  private static let containers: Set<UInt8> = [0x30, 0x31]
  /// A Name holds sequences in sets in one sequence.
  private static let deepest = 3

  /// The same name in this form; nil for what is not DER, or deeper than a Name.
  package static func of(_ der: [UInt8]) -> [UInt8]? {
    elements(of: der, in: der.indices, depth: 0)
  }

  private static func elements(of der: [UInt8], in range: Range<Int>, depth: Int) -> [UInt8]? {
    var reader = DERReader(range)
    var normalized: [UInt8] = []
    while !reader.isAtEnd {
      let tag = der[reader.rest.lowerBound]
      guard let content = reader.read(tag, in: der.span) else { return nil }
      var inner = Array(der[content])
      if containers.contains(tag) {
        guard depth < deepest, let found = elements(of: der, in: content, depth: depth + 1) else {
          return nil
        }
        inner = found
      } else if texts.contains(tag) {
        inner = text(inner)
      }
      normalized += DERWriter.header(tag, count: inner.count) + inner
    }
    return normalized
  }

  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    let space = UInt8(ascii: " ")
    return Array(
      bytes.split(separator: space).joined(separator: [space])
        .map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 })
  }
}
