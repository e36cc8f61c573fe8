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
