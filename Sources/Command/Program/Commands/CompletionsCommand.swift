import ArgumentParser
import Protocol

struct CompletionsCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the script by which a shell completes authcore's commands.",
    discussion: """
      It completes services, accounts, keys, fingers and drivers, too: those that a core which runs \
      tells without a question. It starts none.

          authcore completions bash > ~/.local/share/bash-completion/completions/authcore
          authcore completions zsh > ~/.zsh/completions/_authcore      (a folder of $fpath)
          authcore completions fish > ~/.config/fish/completions/authcore.fish
      """)

  /// The shells that there are scripts for.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let kind: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    var script = AuthcoreCommand.completionScript(for: kind)
    if shell == .fish { script = Self.findingCursor(script) }
    invocation.output.result(.object(["script": .string(script)]), [script])
  }

  /// Has the script for fish find the cursor everywhere. Before version 4, fish tells it only to a
  /// line that a person edits; the line of `complete -C` ends at the cursor.
  private static func findingCursor(_ script: String) -> String {
    script.replacing("(__authcore_tokens -tC)", with: "(__authcore_cursor)") + """

      function __authcore_cursor
          __authcore_tokens -tC 2> /dev/null; or string length -- (commandline -ct)
      end

      """
  }
}

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
