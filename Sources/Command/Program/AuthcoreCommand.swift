import ArgumentParser
import BuildIdentity
import Glibc
import Protocol

/// The command `authcore`: a client of the core that shows prompts on a terminal.
@main
struct AuthcoreCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "authcore", "Touch ID for Linux: a finger releases secrets.",
    discussion: """
      Without a command, a guided session sets everything up and tries it out:

          authcore --driver replay      built-in synthetic prints, no reader needed

      Step by step:

          authcore passcode set         set the owner's passcode first
          authcore finger enroll        then enroll a finger
          authcore item add mail --access presence
          authcore item get mail
      """,
    version: BuildIdentity.text(of: "authcore"),
    subcommands: [
      StatusCommand.self, DoctorCommand.self, AuthCommand.self, PasscodeCommand.self,
      FingerCommand.self, LockCommand.self, UnlockCommand.self, SettingsCommand.self,
      ItemCommand.self, OneTimeCommand.self, KeyCommand.self, AppCommand.self, RunCommand.self,
      GitCredentialCommand.self, AgentCommand.self, SSHCommand.self,
      KeychainFileCommand.self, BackupCommand.self, ImportCommand.self,
      ExportCommand.self,
      RootKeyCommand.self, MigrateCommand.self, DriverCommand.self, SensorCommand.self,
      CompletionsCommand.self, PAMCommand.self, SDKCommand.self, ServeCommand.self,
      QuitCommand.self,
    ])

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    try GuidedSession(invocation).run()
  }

  static func main() {
    var arguments = CommandArguments.given()
    // Git finds a helper by its name, which is a link to this program.
    if CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
      == GitCredentialCommand.programName
    {
      arguments = CommandArguments(
        [GitCredentialCommand._commandName] + arguments.texts, problem: arguments.problem)
    }
    Glibc.exit(Program(arguments: arguments).run())
  }
}

/// A command that runs with the global options.
protocol ClientCommand: ParsableCommand {
  var options: GlobalOptions { get }
  /// What it does if its state folder is missing. By default it fails.
  var missingStateFolder: MissingStateFolder { get }
  /// Whether it has a locked device unlocked first, if a person can be asked. By default it has not.
  var unlocks: Bool { get }
  /// Carries it out and prints its result.
  func run(_ invocation: Invocation) throws(Failure)
}

extension ClientCommand {
  var missingStateFolder: MissingStateFolder { .refused }
  var unlocks: Bool { false }
}

extension CommandConfiguration {
  init(
    _ name: String, _ abstract: String, discussion: String = "", version: String = "",
    shouldDisplay: Bool = true, subcommands: [any ParsableCommand.Type] = []
  ) {
    self.init(
      commandName: name, abstract: abstract, discussion: discussion, version: version,
      shouldDisplay: shouldDisplay, subcommands: subcommands)
  }
}

/// A command that reads or changes items or keys.
protocol KeychainCommand: ClientCommand {}

extension KeychainCommand {
  var unlocks: Bool { true }
}

/// A result that is no error and has an exit code of its own.
enum CommandResult: Int32 {
  case done = 0
  /// `finger test`: the touch did not match.
  case noMatch = 1
  /// `driver check` or `keychain check`: the driver breaks a rule, or the keychain is damaged.
  case foundFaults = 5
}
