/// Keeps prompts of different requests apart. Otherwise the next prompt could take a passcode or a
/// touch that was meant for the last.
package struct PromptPause {
  private var lastEnd: ContinuousClock.Instant?

  /// The time from the end of a prompt to the next. The core allows an agent five seconds to show
  /// one.
  package static let length = Duration.seconds(1)

  package init() {
  }

  package mutating func promptEnded(at time: ContinuousClock.Instant) { lastEnd = time }

  /// How long a prompt of another request must wait; nil if not at all.
  package func remaining(at time: ContinuousClock.Instant) -> Duration? {
    guard let lastEnd else { return nil }
    let remaining = Self.length - lastEnd.duration(to: time)
    return remaining > .zero ? min(remaining, Self.length) : nil
  }
}
