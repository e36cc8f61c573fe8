import CoreClient
import Protocol

/// Attributes that no column of a CSV has. They are custom fields, as ``ItemExport`` writes them:
/// lines of `authcore.NAME: KIND:VALUE`, and one for the class.
///
/// In text, control characters and percent signs are `%` and two hexadecimal digits. Data is
/// hexadecimal. What a column says is not repeated, so that it can be changed there.
struct ExactAttributes: Equatable, Sendable {
  static let prefix: StaticString = "authcore."
  private static let classField = "class"
  private static let encodingField = "secret"

  private(set) var itemClass: ItemClass?
  private(set) var values: [(name: AttributeName, value: AttributeValue)] = []
  /// Whether the password is in hexadecimal digits.
  private(set) var hasHexadecimalSecret = false

  init() {}

  static func == (one: Self, other: Self) -> Bool {
    one.itemClass == other.itemClass && one.hasHexadecimalSecret == other.hasHexadecimalSecret
      && one.values.elementsEqual(other.values) { $0.name == $1.name && $0.value == $1.value }
  }

  /// Reads a line of `name: value`.
  /// - Returns: false if it has another form.
  mutating func read(line: Span<UInt8>) -> Bool {
    guard line.begins(with: Self.prefix), let text = line.text,
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    // Bytes are compared, because an accent may follow the colon.
    let value = text.utf8[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
    return read(
      name: String(text[..<colon].dropFirst(Self.prefix.utf8CodeUnitCount)),
      value: String(Substring(value)))
  }

  private mutating func read(name: String, value: String) -> Bool {
    switch name {
    case Self.classField:
      guard let found = ItemClass(name: value) else { return false }
      itemClass = found
    case Self.encodingField:
      guard value == "hexadecimal" else { return false }
      hasHexadecimalSecret = true
    default:
      guard let attribute = AttributeName(name: name), attribute.isForPeople,
        let read = Self.value(value)
      else { return false }
      values.append((attribute, read))
    }
    return true
  }

  private static func value(_ text: String) -> AttributeValue? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let value = Substring(text.utf8[colon...].dropFirst())
    switch text[..<colon] {
    case "text": return PercentText.decoded(String(value)).map { .text($0) }
    case "number": return Int64(value).map { .number($0) }
    case "data": return Hexadecimal.bytes(Array(value.utf8).span).map { .data($0) }
    default: return nil
    }
  }

  /// The attributes that the columns state, without guesses.
  func attributes(of entry: borrowing FoundEntry, _ address: WebAddress?) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.itemClass = itemClass ?? (address == nil ? .generic : .internet)
    attributes.label = entry.title
    attributes.account = entry.accounts.first ?? ""
    if attributes.itemClass == .internet { address?.fill(&attributes) }
    return attributes
  }

  /// Adds these attributes. An empty text removes one. Attributes that the class cannot have are
  /// left out.
  func complete(_ attributes: inout ItemAttributes) {
    for (name, value) in values where value.isEmpty || value.fits(name.form) {
      attributes.values[name] = value
    }
    let known = attributes.itemClass.attributes
    for name in attributes.values.names where !known.contains(name) {
      attributes.values[name] = nil
    }
  }

  /// The lines for the class and these attributes.
  static func lines(
    _ itemClass: ItemClass, _ values: [(name: AttributeName, value: AttributeValue)],
    hasHexadecimalSecret: Bool
  ) -> [String] {
    var lines = ["\(prefix)\(classField): \(itemClass.name)"]
    if hasHexadecimalSecret { lines.append("\(prefix)\(encodingField): hexadecimal") }
    for (name, value) in values {
      let written =
        switch value {
        case .text(let text): "text:" + PercentText.encoded(text)
        case .number(let number): "number:\(number)"
        case .data(let bytes): "data:" + Hexadecimal.text(bytes)
        }
      lines.append("\(prefix)\(name): \(written)")
    }
    return lines
  }
}

/// Text with percent escapes, on one line.
private enum PercentText {
  static func encoded(_ text: String) -> String {
    var encoded = ""
    for scalar in text.unicodeScalars {
      guard scalar == "%" || scalar.isSteering else {
        encoded.unicodeScalars.append(scalar)
        continue
      }
      for byte in String(scalar).utf8 { encoded += "%" + Hexadecimal.text([byte]) }
    }
    return encoded
  }

  /// - Returns: nil if a percent sign has no two digits after it, or the result is not UTF-8.
  static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.popFirst() {
      guard first == UInt8(ascii: "%") else {
        bytes.append(first)
        continue
      }
      guard let byte = Hexadecimal.bytes(Array(rest.prefix(2)).span), byte.count == 1 else {
        return nil
      }
      bytes += byte
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

enum Hexadecimal {
  private static let alphabet = Array("0123456789abcdef".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { digits($0) }, as: UTF8.self)
  }

  static func digits(_ byte: UInt8) -> [UInt8] {
    [alphabet[Int(byte >> 4)], alphabet[Int(byte & 15)]]
  }

  /// - Returns: nil for an odd number of digits, or anything else.
  static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The same, for a secret.
  static func secret(_ digits: Span<UInt8>) -> SecretBytes? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var isValid = true
    var secret = SecretBytes(count: digits.count / 2)
    unsafe secret.withUnsafeMutableBytes { target in
      for index in 0..<digits.count / 2 {
        guard let high = value(digits[2 * index]), let low = value(digits[2 * index + 1]) else {
          isValid = false
          return
        }
        unsafe target[index] = high << 4 | low
      }
    }
    guard isValid else { return nil }
    return secret
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
