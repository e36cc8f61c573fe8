package import SensorKit

/// What went over the wire. docs/recordings.md tells of the files it comes from.
package struct Recording: Equatable, Sendable {
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
    case gone
    /// It failed otherwise.
    case failure
  }

  /// One thing that happened.
  package enum Event: Equatable, Sendable {
    /// The driver began a transfer; `name` is what its end is known by.
    case submission(USBTransfer, name: String)
    /// That transfer ended.
    case completion(name: String, Outcome)
    /// The device went away.
    case unplugged
  }

  /// An event and where it is in the file.
  package struct Entry: Equatable, Sendable {
    package let place: RecordingPlace
    package var event: Event
  }

  /// A whole transfer.
  package struct Exchange: Equatable, Sendable {
    package let place: RecordingPlace
    package let transfer: USBTransfer
    package let outcome: Outcome
  }

  /// What there is to play.
  package enum Content: Equatable, Sendable {
    /// Events in their order, and apart from it the standard requests, which the kernel sends as
    /// well as a driver.
    case script([Entry], standardRequests: [Exchange])
    /// Transfers of which each had ended before the next began.
    case sequence([Exchange])
  }

  package var info: USBDeviceInfo
  package var content: Content
}

/// Why a recording cannot be played.
package struct RecordingError: Error, Equatable, Sendable {
  package let place: RecordingPlace
  /// A sentence without a full stop.
  package let reason: String
}

/// A place in a recording; lines and packets are counted from 1.
package enum RecordingPlace: Equatable, Sendable, CustomStringConvertible {
  case line(Int)
  case packet(Int)
  case wholeFile

  package var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .packet(let number): "packet \(number)"
    case .wholeFile: "as a whole"
    }
  }
}
