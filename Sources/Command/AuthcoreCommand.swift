import ArgumentParser
import ClientProtocol
import Glibc
import Wire

/// The command `authcore`: a client of the core, and the agent that shows its prompts on a terminal (CLI.md).
@main
struct AuthcoreCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "authcore",
    abstract: "Touch ID for Linux: a finger releases secrets.",
    discussion: """
      One thing after another:

          authcore passcode set         the owner's passcode comes first
          authcore finger enroll        then a finger
          authcore item add --service mail --access biometry-current
          authcore item get --service mail
      """,
    version: ClientEnvelope.softwareVersion,
    subcommands: [
      StatusCommand.self, AuthCommand.self, PasscodeCommand.self,
      FingerCommand.self, LockCommand.self, UnlockCommand.self, ItemCommand.self,
      DriverCommand.self, ServeCommand.self, QuitCommand.self,
    ])

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    throw Failure(.usage, "No command was given", hint: "Run: authcore --help")
  }

  static func main() {
    Glibc.exit(Program(arguments: Array(CommandLine.arguments.dropFirst())).run())
  }
}
