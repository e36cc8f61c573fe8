import ArgumentParser
import Wire

/// `authcore completions`
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
    let script = AuthcoreCommand.completionScript(for: kind)
    invocation.output.result(.object(["script": .string(script)]), [script])
    return .done
  }
}
