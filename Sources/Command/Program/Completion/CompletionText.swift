import ArgumentParser
import Protocol

/// What completes a word, in the form in which each shell takes it from the generated scripts.
///
/// Others may have chosen the texts. bash expands what it is given as a shell does (`compgen -W`), so
/// that a name would be run as a command were it not quoted.
enum CompletionText {
  /// Chooses those that fit.
  /// - Parameters:
  ///   - texts: in any order; those that would be more than one line are left out.
  ///   - prefix: what has been typed of the word, with its quotation marks.
  ///   - shell: nil: none that is known, and nothing is quoted.
  /// - Returns: them in order, as the shell takes them.
  static func lines(
    _ texts: some Sequence<String>, beginningWith prefix: String, for shell: CompletionShell?
  ) -> [String] {
    let typed = CompletionWords.unquoted(prefix)
    let fitting = Set(texts).filter { text in
      !text.isEmpty && text.hasPrefix(typed) && !text.unicodeScalars.contains(where: \.isSteering)
    }
    return fitting.sorted().map { text in
      switch shell {
      case .bash:
        "'"
          + text.split(separator: "'", omittingEmptySubsequences: false)
          .joined(separator: "'\\''") + "'"
      // A colon would begin a description.
      case .zsh:
        text.split(separator: ":", omittingEmptySubsequences: false)
          .joined(separator: "\\:")
      default: text
      }
    }
  }
}
