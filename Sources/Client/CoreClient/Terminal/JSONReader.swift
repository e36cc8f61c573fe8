package import Protocol

/// Reads the parts of a JSON text, strings into locked memory.
package struct JSONReader: ~Copyable, ~Escapable {
  private let bytes: Span<UInt8>
  private var position = 0
  private let malformed: Failure

  /// - Parameters:
  ///   - bytes: the text.
  ///   - malformed: is thrown for anything but JSON.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, malformed: Failure) {
    (self.bytes, self.malformed) = (bytes, malformed)
  }

  private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  @_lifetime(self: copy self)
  private mutating func skipSpace() {
    while let byte = byte(at: position),
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    { position += 1 }
  }

  /// Whether this character comes next, behind white space. It is then behind the reader.
  @_lifetime(self: copy self)
  package mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte(at: position) == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  @_lifetime(self: copy self)
  package mutating func isAtString() -> Bool {
    skipSpace()
    return byte(at: position) == 0x22
  }

  @_lifetime(self: copy self)
  package mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
    guard takes(character) else { throw malformed }
  }

  @_lifetime(self: copy self)
  package mutating func expectEnd() throws(Failure) {
    skipSpace()
    guard position == bytes.count else { throw malformed }
  }

  /// The next string, in UTF-8.
  @_lifetime(self: copy self)
  package mutating func string() throws(Failure) -> SecretBytes {
    try expect("\"")
    var text = WireEncoder(capacity: 64)
    var start = position
    while let byte = byte(at: position), byte >= 0x20 {
      guard byte == 0x22 || byte == 0x5C else {
        position += 1
        continue
      }
      text.writeRaw(bytes.extracting(start..<position))
      position += 1
      if byte == 0x22 {
        let bytes = text.finish()
        guard bytes.isUTF8 else { throw malformed }
        return bytes
      }
      let escaped = try scalar()
      text.writeRaw(Array(String(escaped).utf8).span)
      start = position
    }
    throw malformed
  }

  /// The next number, `true`, `false` or `null`, as it is written. Only its characters are checked.
  @_lifetime(self: copy self)
  package mutating func literal() throws(Failure) -> String {
    skipSpace()
    var text = ""
    while let byte = byte(at: position) {
      let scalar = Unicode.Scalar(byte)
      guard Character(scalar).isASCII,
        Character(scalar).isLetter || Character(scalar).isNumber
          || "+-.".unicodeScalars.contains(scalar)
      else { break }
      text.unicodeScalars.append(scalar)
      position += 1
    }
    guard !text.isEmpty, text.utf8.count <= 64 else { throw malformed }
    return text
  }

  /// What follows a backslash.
  @_lifetime(self: copy self)
  private mutating func scalar() throws(Failure) -> Character {
    let escapes: [UInt8: Character] = [
      0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r",
      0x74: "\t",
    ]
    guard let byte = byte(at: position) else { throw malformed }
    position += 1
    if let character = escapes[byte] { return character }
    guard byte == UInt8(ascii: "u") else { throw malformed }
    let unit = try codeUnit()
    guard 0xD800..<0xDC00 ~= unit else {
      return Character(Unicode.Scalar(unit) ?? "\u{FFFD}")
    }
    guard self.byte(at: position) == 0x5C, self.byte(at: position + 1) == UInt8(ascii: "u") else {
      throw malformed
    }
    position += 2
    let low = try codeUnit()
    guard 0xDC00..<0xE000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw malformed }
    return Character(scalar)
  }

  /// Four hexadecimal digits.
  @_lifetime(self: copy self)
  private mutating func codeUnit() throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = byte(at: position).flatMap({ Character(Unicode.Scalar($0)).hexDigitValue })
      else { throw malformed }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}

extension SecretBytes {
  package var isUTF8: Bool { (try? UTF8Span(validating: bytes)) != nil }
}
