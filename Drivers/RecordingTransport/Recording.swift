package import SensorKit
internal import USBCapture

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

/// Reads a recording of any of the three kinds, told apart by what they begin with. Total: any
/// bytes give a recording or an error.
package enum RecordingReader {
  /// The largest recording, in bytes.
  static let maximumSize = 64 << 20
  /// The largest transfer, in bytes: `AC_USB_MAX_TRANSFER`.
  static let maximumTransfer = 4 << 20

  /// Reads a whole recording.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - device: Which device of a capture it is, or what device an `.ioctl` file is of.
  /// - Returns: What it says.
  /// - Throws: ``RecordingError`` for the first place that cannot be understood.
  package static func read(_ bytes: [UInt8], device: DeviceChoice) throws(RecordingError)
    -> Recording
  {
    if bytes.starts(with: PcapngReader.signature) {
      return try CaptureParser.parse(bytes, device: device)
    }
    return IoctlParser.recognizes(bytes)
      ? try IoctlParser.parse(bytes, device: device) : try RecordingParser.parse(bytes)
  }
}
