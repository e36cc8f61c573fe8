/// How many log lines of one plugin are taken: a thousand at once, a hundred a second; the rest is
/// dropped, and a plugin that has ten thousand lines dropped in one go is ended.
package struct LogBudget: Sendable {
  /// What becomes of a line.
  package enum Verdict: Equatable, Sendable { case take, drop, end }

  /// Lines at once.
  package static let burst: UInt64 = 1000
  /// Lines a second.
  package static let rate: UInt64 = 100
  /// Dropped lines in one go after which the plugin is ended.
  package static let patience: UInt64 = 10_000

  private var left = Self.burst
  private var dropped: UInt64 = 0
  private var refilled: UInt64

  /// - Parameter now: nanoseconds of a clock that never goes back.
  package init(now: UInt64) { refilled = now }

  /// Counts one line.
  package mutating func take(now: UInt64) -> Verdict {
    let interval = 1_000_000_000 / Self.rate
    let earned = (max(now, refilled) - refilled) / interval
    refilled += earned * interval
    left = min(Self.burst, left + min(earned, Self.burst))
    if left == Self.burst { dropped = 0 }
    guard left == 0 else {
      left -= 1
      return .take
    }
    dropped += 1
    return dropped < Self.patience ? .drop : .end
  }
}
