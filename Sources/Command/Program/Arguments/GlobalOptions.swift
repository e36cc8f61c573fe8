import ArgumentParser
import CoreClient

/// The options of every command. They stand before or after its name.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The sensor driver to use: a name or a path, then its options.",
      discussion: """
        authcore driver list shows them. Write a backslash before a comma inside a value. Without \
        this option, AUTHCORE_DRIVER names the driver.
        """,
      valueName: "name[:key=value,…]"), completion: .drivers)
  var driver: String?

  @Option(
    help: ArgumentHelp("The state folder to use (or AUTHCORE_HOME).", valueName: "dir"),
    completion: .directory)
  var home: String?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  @Flag(help: "Use no colors, even on a terminal.")
  var noColor = false

  @Option(help: ArgumentHelp("How long to wait for a touch.", valueName: "seconds"))
  var timeout = 30.0

  @OptionGroup var passcode: SecretOptions<Passcode>

  @Flag(
    help: ArgumentHelp(
      "Wait for a touch even without a terminal to show a prompt on.",
      discussion: "Anybody who touches the reader then permits what no prompt has shown."))
  var unattended = false

  @Flag(help: "Do not ask to unlock a locked keychain. What is locked is then out of reach.")
  var noUnlock = false

  @Option(help: "Answer prompts without a person: cancel them, or choose the fallback.")
  var answer: PromptMachine.GivenAnswer?
}

extension PromptMachine.GivenAnswer: ExpressibleByArgument {}
