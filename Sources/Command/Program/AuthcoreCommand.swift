import ArgumentParser
import BuildIdentity
import Glibc
import Protocol

/// The command `authcore`: a client of the core, and the agent that shows its prompts on a terminal
/// (CLI.md).
@main
struct AuthcoreCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "authcore",
    abstract: "Touch ID for Linux: a finger releases secrets.",
    discussion: """
      Without a command a guided session sets everything up and tries it out:

          authcore --driver replay      built-in synthetic prints, no reader needed

      Then, one thing after another:

          authcore passcode set         the owner's passcode comes first
          authcore finger enroll        then a finger
          authcore item add mail --access presence
          authcore item get mail
      """,
    version: BuildIdentity.text(of: "authcore"),
    subcommands: [
      StatusCommand.self, DoctorCommand.self, AuthCommand.self, PasscodeCommand.self,
      FingerCommand.self, LockCommand.self, UnlockCommand.self, SettingsCommand.self,
      ItemCommand.self, OneTimeCommand.self, KeyCommand.self, AppCommand.self, RunCommand.self,
      GitCredentialCommand.self,
      KeychainFileCommand.self, BackupCommand.self, ImportCommand.self,
      ExportCommand.self,
      RootKeyCommand.self, MigrateCommand.self, DriverCommand.self, SensorCommand.self,
      CompletionsCommand.self, PAMCommand.self, SDKCommand.self, ServeCommand.self,
      QuitCommand.self,
    ])

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    try GuidedSession(invocation).run()
    return .done
  }

  static func main() {
    var arguments = CommandArguments.given()
    // Git finds its helpers by their names: this one is a link to the program.
    if CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
      == GitCredentialCommand.programName
    {
      arguments = CommandArguments(
        [GitCredentialCommand._commandName] + arguments.texts, problem: arguments.problem)
    }
    Glibc.exit(Program(arguments: arguments).run())
  }
}
