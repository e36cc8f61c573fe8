import LinuxSystem

/// A program to be run to its end, without output.
struct MeasuredProgram {
  private let launch: ProgramLaunch
  private let name: String

  init(_ path: String, _ arguments: [String]) {
    var launch = ProgramLaunch(path: path, arguments: arguments)
    launch.environment = EnvironmentVariable.entries
    self.launch = launch
    name = ([path] + arguments).joined(separator: " ")
  }

  /// - Throws: ``BenchmarkFailure`` when it does not end with 0.
  func run() throws {
    let end: ProcessEnd?
    do throws(SystemCallError) {
      end = try launch.start().wait(milliseconds: 60_000)
    } catch {
      throw BenchmarkFailure("cannot run \(name): \(error)")
    }
    guard end == .exited(0) else {
      throw BenchmarkFailure("\(name) \(end?.description ?? "does not end")")
    }
  }
}
