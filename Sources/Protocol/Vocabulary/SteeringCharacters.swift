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
