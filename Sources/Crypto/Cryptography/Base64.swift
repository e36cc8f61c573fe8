package import Protocol

/// Base64 (RFC 4648 §4), in locked memory for secrets.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// With padding, without line breaks.
  package static func encoded(_ bytes: Span<UInt8>) -> SecretBytes {
    var encoded = SecretBytes(count: (bytes.count + 2) / 3 * 4)
    unsafe encoded.withUnsafeMutableBytes { target in
      for group in 0..<(bytes.count + 2) / 3 {
        let start = group * 3
        let left = min(3, bytes.count - start)
        var bits: UInt32 = 0
        for index in 0..<3 { bits = bits << 8 | (index < left ? UInt32(bytes[start + index]) : 0) }
        for index in 0..<4 {
          let digit = alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)]
          unsafe target[group * 4 + index] = index <= left ? digit : UInt8(ascii: "=")
        }
      }
    }
    return encoded
  }

  /// The same for public bytes.
  package static func text(of bytes: [UInt8]) -> String {
    let encoded = encoded(bytes.span)
    return String(decoding: encoded.copied, as: UTF8.self)
  }

  /// The bytes of a padded text, which must not be secret; nil if it is not base64.
  package static func decoded(_ text: String) -> [UInt8]? { decoded(Array(text.utf8)) }

  /// The same for ASCII bytes.
  package static func decoded(_ digits: [UInt8]) -> [UInt8]? {
    guard digits.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    for start in stride(from: 0, to: digits.count, by: 4) {
      let isLast = start + 4 == digits.count
      let signs = digits[start...].reversed().prefix { $0 == UInt8(ascii: "=") }
      let padding = isLast ? signs.count : 0
      guard padding <= 2 else { return nil }
      var bits: UInt32 = 0
      for index in start..<start + 4 - padding {
        guard let value = value(of: digits[index]) else { return nil }
        bits |= UInt32(value) << UInt32(18 - 6 * (index - start))
      }
      let group = [UInt8(bits >> 16), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
      // The unused bits are zero, so that a sequence of bytes has only one text.
      guard group.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
      bytes += group.dropLast(padding)
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
