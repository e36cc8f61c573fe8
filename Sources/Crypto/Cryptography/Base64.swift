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
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard digits.count % 4 == 0, padding <= 2 else { return nil }
    return decoded(unpadded: digits.span.extracting(first: digits.count - padding))?.copied
  }

  /// The bytes of a text without padding; nil if it is not base64.
  package static func decoded(unpadded digits: Span<UInt8>) -> SecretBytes? {
    let rest = digits.count % 4
    guard rest != 1 else { return nil }
    var bytes = SecretBytes(count: digits.count / 4 * 3 + max(0, rest - 1))
    let isValid = unsafe bytes.withUnsafeMutableBytes { target in
      for start in stride(from: 0, to: digits.count, by: 4) {
        var bits: UInt32 = 0
        for index in start..<min(start + 4, digits.count) {
          guard let value = value(of: digits[index]) else { return false }
          bits |= UInt32(value) << UInt32(18 - 6 * (index - start))
        }
        for index in 0..<min(3, target.count - start / 4 * 3) {
          unsafe target[start / 4 * 3 + index] = UInt8(bits >> UInt32(16 - 8 * index) & 255)
          bits &= 1 << UInt32(16 - 8 * index) - 1
        }
        // The unused bits are zero, so that a sequence of bytes has only one text.
        guard bits == 0 else { return false }
      }
      return true
    }
    guard isValid else { return nil }
    return bytes
  }

  /// Without padding, without line breaks.
  package static func encoded(unpadded bytes: Span<UInt8>) -> SecretBytes {
    encoded(bytes).extracting(0..<(bytes.count * 4 + 2) / 3)
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
