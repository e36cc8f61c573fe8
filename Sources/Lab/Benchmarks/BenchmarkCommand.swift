import ArgumentParser
import BuildIdentity

/// `authcore-bench`: how good and how fast the system is.
@main
struct BenchmarkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "authcore-bench",
    abstract: "Measure how good and how fast authcore is.",
    version: BuildIdentity.text(of: "authcore-bench"),
    subcommands: [
      MatchCommand.self, RocCommand.self, ExplainCommand.self, SynthesizeCommand.self,
      AccuracyCommand.self, JudgeExamplesCommand.self, WindowsCommand.self, AcceptanceCommand.self,
      StrangersCommand.self, MasterPrintsCommand.self, DriftCommand.self, SpeedCommand.self,
      KeychainBenchmarkCommand.self,
      EnclaveCommand.self, StartCommand.self, ScriptsCommand.self, LibrariesCommand.self,
      ServiceCommand.self, ServiceUserCommand.self, ParseOnlyCommand.self, CanariesCommand.self,
    ])
}

/// Throws unless the value of an option is possible.
func check(_ value: Int, in range: ClosedRange<Int>, _ option: String) throws(ValidationError) {
  guard range ~= value else {
    throw ValidationError("\(option) must be in \(range.lowerBound)...\(range.upperBound).")
  }
}

/// Ends a benchmark that could not be run: `Error: reason` on standard error, exit code 1.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
