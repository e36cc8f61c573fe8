import Protocol

/// A login as clients of docker-credential-helpers write it: a JSON object (RFC 8259) of texts. The
/// secret stays in locked memory.
struct CredentialMessage: ~Copyable {
  private(set) var server = ""
  private(set) var user = ""
  private(set) var secret = SecretBytes(count: 0)

  /// The longest message, in bytes. A secret of ``Protocol/largestItemSecret`` bytes fits.
  static let longest = 128 << 10

  init(server: String, user: String, secret: consuming SecretBytes) {
    (self.server, self.user) = (server, user)
    self.secret = secret
  }

  /// Reads a message. Members with other names are ignored.
  /// - Throws: `usage` for anything but an object of texts.
  init(_ bytes: Span<UInt8>) throws(Failure) {
    var reader = JSONReader(bytes)
    try reader.expect("{")
    guard !reader.takes("}") else {
      try reader.expectEnd()
      return
    }
    repeat {
      let name = try Self.text(reader.string())
      try reader.expect(":")
      let value = try reader.string()
      switch name {
      case "ServerURL": server = try Self.text(value)
      case "Username": user = try Self.text(value)
      case "Secret": secret = value
      default: break
      }
    } while reader.takes(",")
    try reader.expect("}")
    try reader.expectEnd()
  }

  private static func text(_ bytes: borrowing SecretBytes) throws(Failure) -> String {
    guard let text = String(validating: bytes.copied, as: UTF8.self) else {
      throw JSONReader.malformed
    }
    return text
  }

  /// The message as it is sent.
  borrowing func encoded() -> SecretBytes {
    var encoder = WireEncoder(capacity: secret.count + 512)
    encoder.writeText("{\"ServerURL\":")
    encoder.writeQuoted(Array(server.utf8).span)
    encoder.writeText(",\"Username\":")
    encoder.writeQuoted(Array(user.utf8).span)
    encoder.writeText(",\"Secret\":")
    encoder.writeQuoted(secret.bytes)
    encoder.writeText("}\n")
    return encoder.finish()
  }
}

extension SecretBytes {
  var isUTF8: Bool { (try? UTF8Span(validating: bytes)) != nil }
}

extension WireEncoder {
  mutating func writeText(_ text: String) { writeRaw(Array(text.utf8).span) }

  /// Writes UTF-8 as a string of JSON.
  mutating func writeQuoted(_ bytes: Span<UInt8>) {
    writeText("\"")
    var start = 0
    for index in bytes.indices
    where bytes[index] < 0x20 || bytes[index] == 0x22 || bytes[index] == 0x5C {
      writeRaw(bytes.extracting(start..<index))
      let digits = String(bytes[index], radix: 16)
      writeText("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      start = index + 1
    }
    writeRaw(bytes.extracting(start..<bytes.count))
    writeText("\"")
  }
}

/// Reads the parts of a JSON text, strings into locked memory.
private struct JSONReader: ~Copyable, ~Escapable {
  private let bytes: Span<UInt8>
  private var position = 0

  static let malformed = Failure(.usage, "Standard input is not a JSON object of texts")

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  @_lifetime(self: copy self)
  private mutating func skipSpace() {
    while let byte = byte(at: position), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Whether this character comes next, behind white space. It is then behind the reader.
  @_lifetime(self: copy self)
  mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte(at: position) == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  @_lifetime(self: copy self)
  mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
    guard takes(character) else { throw Self.malformed }
  }

  @_lifetime(self: copy self)
  mutating func expectEnd() throws(Failure) {
    skipSpace()
    guard position == bytes.count else { throw Self.malformed }
  }

  /// The next string, in UTF-8.
  @_lifetime(self: copy self)
  mutating func string() throws(Failure) -> SecretBytes {
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
        guard bytes.isUTF8 else { throw Self.malformed }
        return bytes
      }
      let escaped = try scalar()
      text.writeRaw(Array(String(escaped).utf8).span)
      start = position
    }
    throw Self.malformed
  }

  /// What follows a backslash.
  @_lifetime(self: copy self)
  private mutating func scalar() throws(Failure) -> Character {
    let escapes: [UInt8: Character] = [
      0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r",
      0x74: "\t",
    ]
    guard let byte = byte(at: position) else { throw Self.malformed }
    position += 1
    if let character = escapes[byte] { return character }
    guard byte == UInt8(ascii: "u") else { throw Self.malformed }
    let unit = try codeUnit()
    guard 0xD800..<0xDC00 ~= unit else {
      return Character(Unicode.Scalar(unit) ?? "\u{FFFD}")
    }
    guard self.byte(at: position) == 0x5C, self.byte(at: position + 1) == UInt8(ascii: "u") else {
      throw Self.malformed
    }
    position += 2
    let low = try codeUnit()
    guard 0xDC00..<0xE000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw Self.malformed }
    return Character(scalar)
  }

  /// Four hexadecimal digits.
  @_lifetime(self: copy self)
  private mutating func codeUnit() throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = byte(at: position).flatMap({ Character(Unicode.Scalar($0)).hexDigitValue })
      else { throw Self.malformed }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
