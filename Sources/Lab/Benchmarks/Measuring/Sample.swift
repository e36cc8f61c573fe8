import Glibc
import LinuxSystem

/// Durations of one thing, done many times.
struct Sample {
  private var durations: [Duration] = []

  /// Measures `body` once.
  mutating func measure<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let start = ContinuousClock.now
    let result = try body()
    durations.append(ContinuousClock.now - start)
    return result
  }

  /// Takes one that was measured elsewhere.
  mutating func add(_ duration: Duration) { durations.append(duration) }

  /// Half took longer. Zero where nothing was measured.
  var median: Duration { at(0.5) }

  /// One in twenty took longer.
  var slow: Duration { at(0.95) }

  private func at(_ part: Double) -> Duration {
    guard !durations.isEmpty else { return .zero }
    return durations.sorted()[min(durations.count - 1, Int(Double(durations.count) * part))]
  }

  /// How many in a second, all together.
  var perSecond: Double {
    let total = durations.reduce(.zero, +) / .seconds(1)
    return total > 0 ? Double(durations.count) / total : 0
  }

  /// `{"median":…,"p95":…}` in this unit.
  func json(in unit: Duration) -> String {
    "{\"median\":\(rounded(median / unit)),\"p95\":\(rounded(slow / unit))}"
  }
}

/// Three digits behind the point.
func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

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

/// Does something for each element on all processors.
///
/// - Parameters:
///   - elements: What it is done for.
///   - work: What is done; as many at once as there are processors.
/// - Returns: The results in the order of the elements, whichever was ready first.
/// - Throws: The first error of `work`.
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
