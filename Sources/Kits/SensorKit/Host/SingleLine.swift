/// The form of text that crosses the ABI: UTF-8 without line breaks or other control characters.
enum SingleLine {
  /// `text` with a space in place of every control character, so that a file's name or a device's
  /// answer cannot forge a second line in a log.
  static func text(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
        ? " " : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
