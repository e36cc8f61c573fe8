import Glibc
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

/// Tells on standard error what a long measurement is doing, with the seconds since it began.
struct ProgressLog: Sendable {
  private let start = ContinuousClock.now

  /// How long it has been running.
  var elapsed: Duration { ContinuousClock.now - start }

  func tell(_ doing: String) {
    let line = Array("\(elapsed.components.seconds) s: \(doing)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}
