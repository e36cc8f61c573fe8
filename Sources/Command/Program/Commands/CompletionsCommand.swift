import ArgumentParser
import CoreClient
import Protocol

struct CompletionsCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "completions", "Print the script that completes authcore's commands in a shell.",
    discussion: """
      It also completes services, accounts, keys, fingers and drivers, if a running core tells \
      them without asking. It starts no core.

          authcore completions bash > ~/.local/share/bash-completion/completions/authcore
          authcore completions zsh > ~/.zsh/completions/_authcore      (a folder of $fpath)
          authcore completions fish > ~/.config/fish/completions/authcore.fish
      """)

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

  /// Lets the script for fish find the cursor. Before version 4, fish tells it only for a line that
  /// is being edited. The line of `complete -C` ends at the cursor.
  private static func findingCursor(_ script: String) -> String {
    script.replacing("(__authcore_tokens -tC)", with: "(__authcore_cursor)") + """

      function __authcore_cursor
          __authcore_tokens -tC 2> /dev/null; or string length -- (commandline -ct)
      end

      """
  }
}

/// Completions in the form that each shell's generated script expects.
///
/// Other programs may have chosen the texts. bash expands what it gets (`compgen -W`), so an
/// unquoted name could run a command.
enum CompletionText {
  /// Chooses the texts that fit, sorted. `prefix` is the word as typed, with quotation marks. A
  /// `shell` of nil quotes nothing. Texts of more than one line are left out.
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
      // A colon begins a description.
      case .zsh:
        text.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
      default: text
      }
    }
  }
}

/// A command line that is being typed, as the shell passes it.
struct CompletionWords {
  private let words: [String]

  init(_ words: [String]) { self.words = words.map(Self.unquoted) }

  /// The value of an option, in either form. The last one counts.
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

  /// The first argument after a command of two words: `mail` in `item get mail`. Options that take
  /// values are not recognized.
  func firstArgument(behind group: String) -> String? {
    guard let start = words.firstIndex(of: group), start + 2 < words.count else { return nil }
    let word = words[start + 2]
    return word.isEmpty || word.hasPrefix("-") ? nil : word
  }

  /// Removes quotation marks and backslashes as a shell does.
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
