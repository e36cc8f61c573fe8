import LinuxSystem

/// What the locale says the reader's terminal can show.
package enum Letters: Sendable {
  /// A locale of UTF-8.
  case all
  /// `LC_ALL=C` and the like: what this program draws and punctuates with is made of ASCII. Text of
  /// others stays as it is.
  case ascii

  /// What locale(7) has first: `LC_ALL`, `LC_CTYPE`, `LANG`.
  package static func ofLocale() -> Letters {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { EnvironmentVariable.value(of: $0) }.first { !$0.isEmpty }
    return Self(locale: name ?? "C")
  }

  /// Those of a locale by its name.
  package init(locale: String) {
    let name = locale.lowercased()
    self = name.hasSuffix("utf-8") || name.hasSuffix("utf8") ? .all : .ascii
  }

  /// What stands where something is left out: one column wide.
  package var omission: String {
    switch self {
    case .all: "…"
    case .ascii: "~"
    }
  }

  /// The text as it is written there.
  package func shown(_ text: String) -> String {
    if case .all = self { return text }
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { shown, character in
      if let other = Self.substitutes[character] {
        shown += other
      } else {
        shown.append(character)
      }
    }
  }

  private static let substitutes: [Character: String] = [
    "\u{201C}": "\"", "\u{201D}": "\"", "\u{2018}": "'", "\u{2019}": "'", "…": "...", "–": "-",
    "—": "-", "×": "x", "·": ".", "→": "->", "━": "#", "─": "-", "█": "#", "▀": "'", "▄": ".",
    "░": ".", "▒": "+", "▓": "%",
  ]
}
