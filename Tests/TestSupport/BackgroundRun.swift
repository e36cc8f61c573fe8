import Foundation
import LinuxSystem

/// A run of a built program without a terminal that goes on while the test does something else.
package final class BackgroundRun: Sendable {
  private let outcome = Guarded<Result<CommandRun, any Error>?>(nil)

  /// Starts it.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) {
    let outcome = outcome
    SystemThread.start(name: "run") {
      let result = Result {
        try run(program, arguments, environment: environment, seconds: 240)
      }
      outcome.update { $0 = result }
    }
  }

  /// Waits for its end.
  package func end() throws -> CommandRun { try outcome.wait { $0 }.get() }
}
