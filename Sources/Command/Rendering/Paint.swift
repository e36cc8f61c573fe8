import Wire

/// Colours and weights, where the reader has a terminal that shows them.
struct Paint {
  /// Whether there is colour at all: a terminal, no `--no-color`, no `NO_COLOR` (no-color.org), not
  /// `TERM=dumb`.
  let isOn: Bool

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

  /// How many columns of a terminal it takes; colours take none.
  var width: Int {
    var count = 0
    var isColour = false
    for character in self {
      if character == "\u{1B}" {
        isColour = true
      } else if isColour {
        isColour = character != "m"
      } else {
        count += 1
      }
    }
    return count
  }

  /// At most `width` characters of it; colours do not count and are switched off at the end of a
  /// shortened text.
  func clipped(to width: Int) -> String {
    var count = 0
    var isColour = false
    for index in indices {
      if self[index] == "\u{1B}" {
        isColour = true
      } else if isColour {
        isColour = self[index] != "m"
      } else {
        count += 1
        if count > width { return self[..<index] + "\u{1B}[0m" }
      }
    }
    return self
  }

  /// Filled with spaces up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
