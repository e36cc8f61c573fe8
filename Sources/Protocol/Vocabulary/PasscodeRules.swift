/// The rules for a new passcode.
package enum PasscodeRules {
  /// Passcodes with fewer characters besides white space are refused.
  package static let fewestCharacters = 4
  /// The owner is warned of a passcode with fewer.
  package static let advisedCharacters = 6

  /// Checks a new passcode, which must have at least `fewest` characters besides white space.
  /// - Returns: how many it has.
  /// - Throws: `passcodeTooShort`.
  @discardableResult
  package static func check(
    _ passcode: borrowing SecretBytes, atLeast fewest: Int = fewestCharacters
  ) throws(Failure) -> Int {
    let count = characters(in: passcode.bytes)
    guard count < fewest else { return count }
    throw Failure(
      .passcodeTooShort,
      "the passcode has \(count == 1 ? "one character" : "\(count) characters") besides white space",
      hint: fewest < advisedCharacters
        ? "choose one of at least \(fewest), better of \(advisedCharacters) or more"
        : "choose one of at least \(fewest)")
  }

  /// Counts characters as a person does, without white space.
  ///
  /// A code point that joins the one before (a combining accent, a skin tone, what follows a
  /// joiner) is not counted. A byte that is not UTF-8 counts as one. No `String` is made, since
  /// that would copy the passcode.
  package static func characters(in bytes: Span<UInt8>) -> Int {
    var count = 0
    var index = 0
    var joins = false
    while index < bytes.count {
      guard let (scalar, length) = scalar(in: bytes, at: index) else {
        (count, index, joins) = (count + 1, index + 1, false)
        continue
      }
      index += length
      let properties = scalar.properties
      let isJoined =
        joins || properties.isGraphemeExtend || properties.isEmojiModifier || scalar == joiner
      joins = scalar == joiner
      if !properties.isWhitespace, !isJoined { count += 1 }
    }
    return count
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"

  /// The code point that begins at a byte (RFC 3629), or nil if none does.
  private static func scalar(
    in bytes: Span<UInt8>, at start: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    let first = bytes[start]
    let form: (length: Int, least: UInt32)
    switch first {
    case 0..<0x80: return (Unicode.Scalar(first), 1)
    case 0xC2...0xDF: form = (2, 0x80)
    case 0xE0...0xEF: form = (3, 0x800)
    case 0xF0...0xF4: form = (4, 0x10000)
    default: return nil
    }
    guard start + form.length <= bytes.count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(form.length))
    for index in start + 1..<start + form.length {
      guard bytes[index] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    guard value >= form.least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, form.length)
  }
}
