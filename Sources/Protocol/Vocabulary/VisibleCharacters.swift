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
