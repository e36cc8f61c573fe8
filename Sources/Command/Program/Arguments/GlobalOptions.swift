import ArgumentParser
import CoreClient

/// The options of every command. They stand before or after its name (CLI.md).
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The sensor driver to use: a name or a path, then its options.",
      discussion: """
        authcore driver list shows them. A comma inside a value is written with a backslash before \
        it. Without this option AUTHCORE_DRIVER says it, where that is set.
        """,
      valueName: "name[:key=value,…]"), completion: .drivers)
  var driver: String?

  @Option(
    help: ArgumentHelp(
      "The state folder whose core is used (or AUTHCORE_HOME).", valueName: "dir"),
    completion: .directory)
  var home: String?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  @Flag(help: "No colors, on a terminal either.")
  var noColor = false

  @Option(help: ArgumentHelp("How long to wait for a touch.", valueName: "seconds"))
  var timeout = 30.0

  @OptionGroup var passcode: SecretOptions<Passcode>

  @Flag(
    help: ArgumentHelp(
      "Wait for a touch of the reader where there is no terminal to show a prompt on.",
      discussion: "Whoever touches the reader then permits what nobody was told of."))
  var unattended = false

  @Flag(help: "Ask nobody to unlock a locked keychain; what is closed is not reached then.")
  var noUnlock = false

  @Option(help: "Answer prompts without a person: cancel them, or choose the fallback.")
  var answer: PromptMachine.GivenAnswer?
}

extension PromptMachine.GivenAnswer: ExpressibleByArgument {}
