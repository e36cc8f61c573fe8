/// A command line that is being typed, as a shell hands it to what completes it.
struct CompletionWords {
  private let words: [String]

  /// - Parameter words: with the program; quoted as they were typed.
  init(_ words: [String]) { self.words = words.map(Self.unquoted) }

  /// The value of an option, in either form; the last one where it stands there several times.
  func value(of option: String) -> String? {
    var found: String?
    for (index, word) in words.enumerated() {
      if word == option, index + 1 < words.count {
        found = words[index + 1]
      } else if word.hasPrefix(option + "=") {
        found = String(word.dropFirst(option.count + 1))
      }
    }
    return found
  }

  /// The first word behind a command of two words that is no option: `mail` of `item get mail`.
  /// Options with values may come later; here they are not known.
  func firstArgument(behind group: String) -> String? {
    guard let start = words.firstIndex(of: group), start + 2 < words.count else { return nil }
    let word = words[start + 2]
    return word.isEmpty || word.hasPrefix("-") ? nil : word
  }

  /// What a shell would make of a word: quotation marks and backslashes taken away.
  static func unquoted(_ word: String) -> String {
    var plain = ""
    var mark: Character?
    var rest = Substring(word)
    while let character = rest.popFirst() {
      switch (character, mark) {
      case ("\\", nil), ("\\", "\""): plain.append(rest.popFirst() ?? "\\")
      case ("'", nil), ("\"", nil): mark = character
      case (let end, let begun?) where end == begun: mark = nil
      default: plain.append(character)
      }
    }
    return plain
  }
}
