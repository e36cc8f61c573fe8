extension Unicode.Scalar {
  /// Whether it acts on a line instead of being read in it: controls, which terminals obey,
  /// separators of lines and paragraphs, and characters that change the direction of writing, which
  /// can make a text look like another.
  package var isSteering: Bool {
    // Nearly all are printable ASCII, and properties take time.
    if " "..."~" ~= self { return false }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

extension String {
  /// The text with U+FFFD in place of every steering character.
  package var withoutSteering: String {
    guard unicodeScalars.contains(where: \.isSteering) else { return self }
    return String(
      String.UnicodeScalarView(unicodeScalars.map { $0.isSteering ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar {
  /// Whether it can be seen.
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate,
      .unassigned:
      false
    // Fillers count as letters, and a braille cell without dots as a symbol.
    default: !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
    }
  }
}

extension String {
  /// Whether anything can be read: more than spaces, ends of lines, and characters of no width.
  package var hasVisibleCharacters: Bool { unicodeScalars.contains(where: \.isVisible) }
}

extension Failure {
  /// L6: an owner who is asked for a proof is told what for.
  package static func invalidReason(hint: String) -> Failure {
    Failure(.invalidReason, "the reason for asking the owner has no visible characters", hint: hint)
  }
}
