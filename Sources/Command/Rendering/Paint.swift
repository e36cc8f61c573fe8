import Wire

/// Colours and weights, where the reader has a terminal that shows them, and how wide that is.
struct Paint {
  /// Whether there is colour at all: a terminal, no `--no-color`, no `NO_COLOR` (no-color.org), not
  /// `TERM=dumb`.
  let isOn: Bool
  /// How many columns there are; nil where lines may be of any length.
  var columns: Int?
  /// What the terminal's letters are.
  var letters = Letters.all

  /// What a piece of text is.
  enum Role: String {
    case strong = "1"
    case faint = "2"
    case good = "32"
    case doubtful = "33"
    case bad = "31"
    case accent = "36"
  }

  /// `text` in the colour of `role`.
  func callAsFunction(_ text: String, _ role: Role) -> String {
    isOn ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// Without anything that a terminal would obey: for text that others chose (labels, reasons,
  /// drivers' messages).
  var printable: String {
    withoutSteering
  }
}
