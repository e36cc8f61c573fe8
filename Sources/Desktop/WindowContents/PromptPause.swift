/// Keeps the prompts of different requests apart: a person who is answering one needs to see that it
/// is over before another takes what they type, or the finger that is on its way.
package struct PromptPause {
  private var lastEnd: ContinuousClock.Instant?

  /// From the end of one to the beginning of the next. The core grants an agent five seconds to show
  /// one.
  package static let length = Duration.seconds(1)

  /// Before the first one nothing has to be waited for.
  package init() {
  }

  /// One that was shown is over.
  package mutating func promptEnded(at time: ContinuousClock.Instant) { lastEnd = time }

  /// How long the next one, of another request, is to wait; nil: not at all.
  package func remaining(at time: ContinuousClock.Instant) -> Duration? {
    guard let lastEnd else { return nil }
    let remaining = Self.length - lastEnd.duration(to: time)
    return remaining > .zero ? min(remaining, Self.length) : nil
  }
}
