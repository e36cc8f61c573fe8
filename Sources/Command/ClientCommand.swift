import ArgumentParser
import Wire

/// A command that runs with what the global options say.
protocol ClientCommand: ParsableCommand {
  /// The options of every command.
  var options: GlobalOptions { get }
  /// Carries it out and prints its result.
  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd
}

/// How a command ended that did not fail.
enum CommandEnd {
  case done
  /// `finger test`: the touch was compared and did not match. A result, not an error, and yet exit code 1.
  case noMatch

  var exitCode: Int32 {
    switch self {
    case .done: 0
    case .noMatch: 1
    }
  }
}
