extension Unicode.Scalar {
  /// Whether it does something to a line instead of being read in it: controls, which terminals
  /// obey, separators of lines and paragraphs, and what changes the direction of writing, by which
  /// a text can be made to look like another.
  package var isSteering: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

extension String {
  /// The same text with U+FFFD in place of everything that would steer what shows it.
  package var withoutSteering: String {
    guard unicodeScalars.contains(where: \.isSteering) else { return self }
    return String(
      String.UnicodeScalarView(unicodeScalars.map { $0.isSteering ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar {
  /// Whether whoever looks at it sees anything.
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
  /// Whether anything of it can be read: more than spaces, ends of lines, and characters of no width.
  package var hasVisibleCharacters: Bool { unicodeScalars.contains(where: \.isVisible) }
}

extension Failure {
  /// L6: nobody is asked for a proof without being told what for.
  package static func invalidReason(hint: String) -> Failure {
    Failure(.invalidReason, "the reason for asking the owner has no visible characters", hint: hint)
  }
}
