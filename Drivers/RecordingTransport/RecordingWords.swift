internal import SensorKit

/// The words of one line, without its comment.
struct RecordingWords {
  private var words: ArraySlice<Substring>

  init(_ line: String) {
    let words = line.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D })
      .map { Substring($0) }
    self.words = words.prefix { !$0.hasPrefix("#") }[...]
  }

  mutating func next() -> Substring? {
    words.popFirst()
  }

  mutating func hexadecimal<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
    next().flatMap { hexadecimal($0, as: Number.self) }
  }

  func hexadecimal<Number: FixedWidthInteger & UnsignedInteger>(
    _ word: Substring, as _: Number.Type
  ) -> Number? {
    guard word.utf8.allSatisfy({ Self.isHexadecimal($0) }) else { return nil }
    return Number(word, radix: 16)
  }

  mutating func decimal(upTo limit: Int) -> Int? {
    guard let word = next() else { return nil }
    return Self.decimal(word, upTo: limit)
  }

  mutating func endpointKind() -> USBEndpoint.Kind? {
    switch next() {
    case "bulk": .bulk
    case "interrupt": .interrupt
    default: nil
    }
  }

  /// `496e` or `7f*64`, at most `limit` bytes.
  func bytes(_ word: Substring, upTo limit: Int) -> [UInt8]? {
    let parts = word.split(separator: "*", omittingEmptySubsequences: false)
    let digits = Array(parts[0].utf8)
    guard
      parts.count <= 2, !digits.isEmpty, digits.count.isMultiple(of: 2), digits.count / 2 <= limit,
      digits.allSatisfy({ Self.isHexadecimal($0) })
    else { return nil }
    let bytes = Self.bytes(digits)
    guard parts.count == 2 else { return bytes }
    guard bytes.count == 1, let count = Self.decimal(parts[1], upTo: limit) else { return nil }
    return [UInt8](repeating: bytes[0], count: count)
  }

  private static func decimal(_ word: Substring, upTo limit: Int) -> Int? {
    guard 1...8 ~= word.utf8.count, word.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let value = Int(word), value <= limit
    else { return nil }
    return value
  }

  /// Reads pairs of hexadecimal digits.
  static func bytes(_ digits: [UInt8]) -> [UInt8] {
    func value(_ digit: UInt8) -> UInt8 { digit < 0x40 ? digit - 0x30 : (digit | 0x20) - 0x57 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { position in
      value(digits[position]) << 4 | value(digits[position + 1])
    }
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte || 0x41...0x46 ~= byte
  }
}
