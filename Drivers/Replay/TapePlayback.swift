package import SensorKit

/// Where a tape stands: a value that says what comes next and never waits itself.
package struct TapePlayback {
  /// What a capture does next.
  package enum Action: Equatable {
    /// Let this much time pass, tell ``passed(_:)``, and ask again.
    case wait(Duration)
    /// Deliver this touch.
    case deliver(TouchSource)
    /// Ask the person to try again.
    case askAgain(RetryReason)
    /// Fail: the device is away.
    case fail
    /// End: the time is up, and what the tape has comes later.
    case timeOut
    /// End: nothing can come any more.
    case end
  }

  private let events: [Tape.Event]
  private var position = 0
  /// How often the touch at `position` has been delivered.
  private var delivered = 0
  /// How much of the wait at `position` has passed.
  private var waited = Duration.zero
  private var isPlugged = true

  package init(_ tape: Tape) {
    events = tape.events
  }

  /// Plays on for a capture that has `left` of its time.
  package mutating func next(within left: Duration) -> Action {
    while position < events.count {
      let event = events[position]
      guard isPlugged else {
        // What happens while the device is away is not seen; time is not waited for either.
        if event == .plug { isPlugged = true }
        advance()
        continue
      }
      switch event {
      case .touch(let source, let times):
        delivered += 1
        if delivered >= times { advance() }
        return .deliver(source)
      case .wait(let duration):
        guard waited < duration else {
          advance()
          continue
        }
        return left > .zero ? .wait(min(duration - waited, left)) : .timeOut
      case .noise(let reason):
        advance()
        return .askAgain(reason)
      case .unplug:
        advance()
        isPlugged = false
        return .fail
      case .plug:
        advance()
      }
    }
    return isPlugged ? .end : .fail
  }

  /// Counts time towards the wait that ``next(within:)`` answered with.
  package mutating func passed(_ duration: Duration) {
    waited += duration
  }

  private mutating func advance() {
    position += 1
    delivered = 0
    waited = .zero
  }
}
