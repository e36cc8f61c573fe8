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

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let kind: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    var script = AuthcoreCommand.completionScript(for: kind)
    if shell == .fish { script = Self.findingCursor(script) }
    invocation.output.result(.object(["script": .string(script)]), [script])
    return .done
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
