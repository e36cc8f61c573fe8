import Protocol

extension FoundLogin {
  /// Names that lines of an entry give to what they hold.
  private static let accountNames: Set = ["login", "user", "username"]
  private static let addressNames: Set = ["url", "uri", "website"]

  /// An entry of pass: its first line is the password, what follows is told by those names or kept
  /// as notes. What is no text, or a key in PEM, is a secret as a whole.
  init(inPasswordStore text: borrowing SecretBytes, named name: String) {
    self.init(origin: name)
    title = name
    let bytes = text.bytes
    guard Self.isText(bytes), !Self.isPEM(bytes) else {
      password = text.duplicate()
      return
    }
    let firstEnd = Self.lineEnd(in: bytes, from: 0)
    password = SecretBytes(copying: bytes.extracting(0..<firstEnd))
    var notes = SecretText(limit: bytes.count)
    var start = firstEnd + 1
    while start < bytes.count {
      let end = Self.lineEnd(in: bytes, from: start)
      let line = bytes.extracting(start..<end)
      if !take(line) {
        if notes.count > 0 { notes.append("\n") }
        notes.append(line)
      }
      start = end + 1
    }
    self.notes = notes.finish()
  }

  /// Takes a line that says what it is.
  private mutating func take(_ line: Span<UInt8>) -> Bool {
    if Self.begins(line, with: "otpauth://"), oneTimePassword.count == 0 {
      oneTimePassword = SecretBytes(copying: line)
      return true
    }
    guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }),
      let name = Self.text(line.extracting(0..<colon))?.lowercased(),
      Self.accountNames.contains(name) || Self.addressNames.contains(name),
      let value = Self.text(line.extracting(droppingFirst: colon + 1))
    else { return false }
    let trimmed = String(value.drop { $0 == " " })
    if Self.addressNames.contains(name) {
      addresses.append(trimmed)
      return true
    }
    guard account.isEmpty else { return false }
    account = trimmed
    return true
  }

  private static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != 0x0A { index += 1 }
    return index
  }

  private static func isText(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == 0 { return false }
    do {
      _ = try UTF8Span(validating: bytes)
      return true
    } catch {
      return false
    }
  }

  private static func isPEM(_ bytes: Span<UInt8>) -> Bool { begins(bytes, with: "-----BEGIN ") }

  private static func begins(_ bytes: Span<UInt8>, with text: StaticString) -> Bool {
    guard bytes.count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where unsafe bytes[index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  private static func text(_ bytes: Span<UInt8>) -> String? {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      return nil
    }
  }
}
