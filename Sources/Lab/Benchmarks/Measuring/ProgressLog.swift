import Glibc

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
