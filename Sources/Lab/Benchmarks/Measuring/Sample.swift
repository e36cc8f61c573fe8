import Glibc
import LinuxSystem

/// Durations of one thing, done many times.
struct Sample {
  private var durations: [Duration] = []

  mutating func measure<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let start = ContinuousClock.now
    let result = try body()
    durations.append(ContinuousClock.now - start)
    return result
  }

  mutating func add(_ duration: Duration) { durations.append(duration) }

  /// Zero if nothing was measured.
  var median: Duration { at(0.5) }

  /// One in twenty took longer.
  var slow: Duration { at(0.95) }

  private func at(_ part: Double) -> Duration {
    guard !durations.isEmpty else { return .zero }
    return durations.sorted()[min(durations.count - 1, Int(Double(durations.count) * part))]
  }

  var perSecond: Double {
    let total = durations.reduce(.zero, +) / .seconds(1)
    return total > 0 ? Double(durations.count) / total : 0
  }

  /// Median and 95th percentile in this unit.
  func json(in unit: Duration) -> JSON {
    ["median": rounded(median / unit), "p95": rounded(slow / unit)]
  }
}

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

  /// - Throws: ``BenchmarkFailure`` unless it ends with 0.
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

/// Reports on standard error what a long measurement is doing, with the seconds since it began.
struct ProgressLog: Sendable {
  private let start = ContinuousClock.now

  var elapsed: Duration { ContinuousClock.now - start }

  func tell(_ doing: String) {
    let line = Array("\(elapsed.components.seconds) s: \(doing)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}

/// Does something for each element on all processors. Returns the results in the order of the
/// elements.
func concurrentMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ work: @escaping @Sendable (Element) throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    let atOnce = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
    var results = [Result?](repeating: nil, count: elements.count)
    for (index, element) in elements.enumerated() {
      if index >= atOnce, let (done, result) = try await group.next() { results[done] = result }
      group.addTask { (index, try work(element)) }
    }
    for try await (done, result) in group { results[done] = result }
    return results.compactMap { $0 }
  }
}
