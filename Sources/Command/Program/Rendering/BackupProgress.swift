import CoreClient

/// How far a backup has come: a bar on a terminal, and nothing elsewhere.
final class BackupProgress {
  private let title: String
  private let output: Output
  private var shown: ContinuousClock.Instant?

  /// A bar is drawn no more often.
  private static let interval = Duration.milliseconds(100)

  init(_ title: String, _ output: Output) {
    (self.title, self.output) = (title, output)
  }

  /// `done` of `total` are done.
  func show(_ done: UInt64, of total: UInt64) {
    guard shown.map({ ContinuousClock.now - $0 >= Self.interval }) ?? true else { return }
    shown = .now
    let share = total > 0 ? Double(done) / Double(total) : 0
    output.live("\(title)  " + Bar(share: share).drawn(output.errorPaint))
  }

  /// Takes it away.
  func end() { output.clearLive() }
}
