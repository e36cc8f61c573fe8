import Wire

/// Base64 (RFC 4648 §4) of a secret, which stays in locked memory.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// With padding, without line breaks.
  static func encoded(_ bytes: Span<UInt8>) -> SecretBytes {
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
}
