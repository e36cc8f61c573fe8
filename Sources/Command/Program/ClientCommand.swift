import ArgumentParser
import Protocol

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
