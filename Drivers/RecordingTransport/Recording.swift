package import SensorKit

/// What went over the wire, in order. docs/recordings.md is the format of its file.
package struct Recording: Equatable, Sendable {
  /// One thing that happened.
  package enum Event: Equatable, Sendable {
    /// The driver began a transfer; `name` is what its end is known by.
    case submission(USBTransfer, name: String)
    /// That transfer ended.
    case completion(name: String, Outcome)
    /// The device went away.
    case unplugged
  }

  /// How a transfer ended.
  package enum Outcome: Equatable, Sendable {
    /// It moved these bytes; for a write all there were.
    case bytes([UInt8])
    /// The endpoint halted.
    case stall
    /// The recorded program's deadline passed.
    case timeout
    /// The recorded program cancelled it.
    case cancelled
  }

  /// An event and the line it is on.
  package struct Entry: Equatable, Sendable {
    package let line: Int
    package var event: Event
  }

  package var info: USBDeviceInfo
  package var entries: [Entry]
}
