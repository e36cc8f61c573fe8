/// DER (X.690) from its parts; whatever they are.
package enum DER {
  /// A tag, the length of the contents, and the contents.
  package static func value(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
    let joined = contents.flatMap(\.self)
    return [tag] + length(joined.count) + joined
  }

  package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    value(0x30, parts.flatMap(\.self))
  }

  /// An object identifier from its content octets in hexadecimal.
  package static func object(_ octets: [UInt8]) -> [UInt8] { value(0x06, octets) }

  package static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

  package static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0], bytes) }

  private static func length(_ count: Int) -> [UInt8] {
    guard count > 127 else { return [UInt8(count)] }
    let octets = (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    let short = octets.drop { $0 == 0 }
    return [0x80 | UInt8(short.count)] + short
  }
}
