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

/// A command that runs with what the global options say.
protocol ClientCommand: ParsableCommand {
  /// The options of every command.
  var options: GlobalOptions { get }
  /// What it does where its state folder is missing; by default it fails.
  var missingStateFolder: MissingStateFolder { get }
  /// Whether a locked device is unlocked before anything is looked for, where a person can be asked; by
  /// default it is not.
  var unlocks: Bool { get }
  /// Carries it out and prints its result.
  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd
}

extension ClientCommand {
  var missingStateFolder: MissingStateFolder { .refused }
  var unlocks: Bool { false }
}

/// How a command ended that did not fail.
enum CommandEnd {
  case done
  /// `finger test`: the touch was compared and did not match. A result, not an error, and yet exit
  /// code 1.
  case noMatch
  /// `driver check`: it ran to its end and found a rule that the driver breaks. Exit code 5.
  case driverFailed
  /// `keychain check`: it ran to its end and found damage. Exit code 5.
  case keychainDamaged

  var exitCode: Int32 {
    switch self {
    case .done: 0
    case .noMatch: 1
    case .driverFailed, .keychainDamaged: 5
    }
  }
}
