import CUtf8proc
import LinuxSystem

extension Character {
  /// The width in columns of a terminal: 0, 1 or 2.
  ///
  /// Emoji of several scalars are shown as one. For other characters terminals add up the scalars,
  /// as wcwidth(3) does.
  package var width: Int {
    let scalars = unicodeScalars
    if scalars.count == 1, let first = scalars.first, first.isASCII {
      return first.value < 0x20 ? 0 : 1
    }
    let isPicture = scalars.contains {
      // Variation selector 16 asks for a picture, the zero width joiner makes one of several.
      $0 == "\u{FE0F}" || $0 == "\u{200D}" || $0.properties.isEmojiModifier
    }
    let isFlag = scalars.count == 2 && scalars.allSatisfy { 0x1F1E6...0x1F1FF ~= $0.value }
    if isFlag || isPicture && scalars.first?.properties.isEmoji == true { return 2 }
    return scalars.reduce(0) { $0 + max(0, Int(utf8proc_charwidth(Int32($1.value)))) }
  }
}

extension String {
  /// The width in columns of a terminal, without escape sequences for colors.
  package var width: Int {
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return utf8.count }
    var count = 0
    forEachVisible { _, character in count += character.width }
    return count
  }

  /// Visits the characters outside escape sequences for colors.
  private func forEachVisible(_ body: (Index, Character) -> Void) {
    var isColor = false
    for index in indices {
      let character = self[index]
      if character == "\u{1B}" {
        isColor = true
      } else if isColor {
        isColor = character != "m"
      } else {
        body(index, character)
      }
    }
  }

  /// The part that fits into `width` columns; colors are switched off at the end of a shortened
  /// text.
  package func clipped(to width: Int) -> String {
    guard self.width > width else { return self }
    var count = 0
    var end: Index?
    forEachVisible { index, character in
      count += character.width
      if count > width, end == nil { end = index }
    }
    guard let end else { return self }
    return self[..<end] + (contains("\u{1B}") ? "\u{1B}[0m" : "")
  }

  /// The part that fits, with a sign at the end if something is left out.
  package func shortened(to width: Int, _ letters: Letters = .all) -> String {
    self.width <= width ? self : clipped(to: max(0, width - 1)) + letters.omission
  }

  /// Filled with spaces up to `width` columns.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - self.width))
  }

  /// Lines of at most `width` columns, broken at spaces. A longer word has a longer line of its
  /// own.
  package func wrapped(to width: Int) -> [String] {
    guard self.width > width else { return [self] }
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if longer.width <= width || line.isEmpty {
        line = longer
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }
}

/// The characters that the reader's terminal can show, according to the locale.
package enum Letters: Sendable {
  /// A locale of UTF-8.
  case all
  /// `LC_ALL=C` and the like: this program's own symbols and punctuation are ASCII. Text from
  /// others is not changed.
  case ascii

  /// According to the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set (locale(7)).
  package static func ofLocale() -> Letters {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { EnvironmentVariable.value(of: $0) }.first { !$0.isEmpty }
    return Self(locale: name ?? "C")
  }

  package init(locale: String) {
    let name = locale.lowercased()
    self = name.hasSuffix("utf-8") || name.hasSuffix("utf8") ? .all : .ascii
  }

  /// The sign for an omission, one column wide.
  var omission: String {
    switch self {
    case .all: "…"
    case .ascii: "~"
    }
  }

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
