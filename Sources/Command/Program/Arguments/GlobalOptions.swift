import ArgumentParser
import CoreClient
import PluginHosting
import Protocol

/// The options of every command; they stand before or after its name (CLI.md).
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

  @Option(help: ArgumentHelp("Read the passcode from this descriptor.", valueName: "n"))
  var passcodeFd: Int32?

  @Option(
    help: ArgumentHelp("Read the passcode from this file.", valueName: "file"), completion: .file())
  var passcodeFile: String?

  @Flag(
    help: ArgumentHelp(
      "Wait for a touch of the reader where there is no terminal to show a prompt on.",
      discussion: "Whoever touches the reader then permits what nobody was told of."))
  var unattended = false

  @Option(help: "Answer prompts without a person: cancel them, or choose the fallback.")
  var answer: PromptMachine.GivenAnswer?
}

extension PromptMachine.GivenAnswer: ExpressibleByArgument {}

/// The option of commands that run a driver themselves.
struct LogOption: ParsableArguments {
  @Flag(help: "Show on standard error what driver and transport write to the log.")
  var log = false

  /// Takes the lines of the log; for the thread that the output belongs to.
  func writer(_ output: Output) -> @Sendable (PluginLogLevel, String) -> Void {
    guard log else { return { _, _ in } }
    // A session gives its lines to the thread that waits for the driver, which is the command's
    // only one.
    nonisolated(unsafe) let output = output
    return { level, text in
      unsafe output.note(LogText.line(level: level.name, of: nil, text))
    }
  }
}
