import Protocol

/// Colors and weights, where the reader has a terminal that shows them, and how wide that is.
package struct Paint {
  /// Whether there is color at all: a terminal, no `--no-color`, no `NO_COLOR` (no-color.org), not
  /// `TERM=dumb`.
  package let isOn: Bool
  /// How many columns there are; nil where lines may be of any length.
  package var columns: Int?
  /// What the terminal's letters are.
  package var letters: Letters

  /// For a reader whose terminal is like that.
  package init(isOn: Bool, columns: Int? = nil, letters: Letters = .all) {
    (self.isOn, self.columns, self.letters) = (isOn, columns, letters)
  }

  /// What a piece of text is.
  package enum Role: String {
    /// What matters most.
    case strong = "1"
    /// What need not be read.
    case faint = "2"
    /// What went well.
    case good = "32"
    /// What may be wrong.
    case doubtful = "33"
    /// What went wrong.
    case bad = "31"
    /// What leads on.
    case accent = "36"
  }

  /// `text` in the color of `role`.
  package func callAsFunction(_ text: String, _ role: Role) -> String {
    isOn ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// Without anything that a terminal would obey: for text that others chose (labels, reasons,
  /// drivers' messages).
  package var printable: String {
    withoutSteering
  }
}
