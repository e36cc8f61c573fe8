package import SensorKit

/// What happens at a sensor, in order. docs/tapes.md is the format of its file.
package struct Tape: Equatable, Sendable {
  /// One thing that happens.
  package enum Event: Equatable, Sendable {
    /// The same finger comes down, is read and goes up, `times` times.
    case touch(TouchSource, times: Int)
    /// Nothing happens for so long.
    case wait(Duration)
    /// The sensor asks for another touch.
    case noise(RetryReason)
    /// The device goes away.
    case unplug
    /// The device comes back.
    case plug
  }

  /// What to call the tape in a message: its path.
  package let name: String
  /// In the order they happen.
  package let events: [Event]

  package init(name: String, events: [Event]) {
    (self.name, self.events) = (name, events)
  }
}

/// Where the image of a touch comes from.
package enum TouchSource: Hashable, Sendable {
  /// A binary PGM.
  case file(path: String, pixelsPerInch: Int)
  /// A generated print.
  case synthetic(SyntheticTouch)
}

/// Why a tape cannot be played: a line of it, and the reason.
package struct TapeError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// A sentence without the file's name and without a full stop.
  package let reason: String
}
