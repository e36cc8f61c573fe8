package import SensorKit
internal import USBCapture

/// The recorded traffic of a device (docs/recordings.md).
package struct Recording: Equatable, Sendable {
  /// How a transfer ended.
  package enum Outcome: Equatable, Sendable {
    /// It moved these bytes; a write moved all of them.
    case bytes([UInt8])
    /// The endpoint halted.
    case stall
    case timeout
    case cancelled
    case gone
    case failure
  }

  package enum Event: Equatable, Sendable {
    /// The program began a transfer. `name` identifies its end.
    case submission(USBTransfer, name: String)
    case completion(name: String, Outcome)
    case unplugged
  }

  /// An event, and its place in the file.
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

  package enum Content: Equatable, Sendable {
    /// Events in order, and separately the standard requests, which both the kernel and a driver
    /// send.
    case script([Entry], standardRequests: [Exchange])
    /// Transfers, each of which ended before the next began.
    case sequence([Exchange])
  }

  package var info: USBDeviceInfo
  package var content: Content
}

/// Why a recording cannot be played.
package struct RecordingError: Error, Equatable, Sendable {
  package let place: RecordingPlace
  /// A sentence without a final period.
  package let reason: String
}

/// A place in a recording. Lines and packets are counted from 1.
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

/// Reads a recording of any of the three formats. Any bytes give a recording or an error.
package enum RecordingReader {
  /// The largest file, in bytes.
  static let maximumSize = 64 << 20
  /// The largest transfer, in bytes: `AC_USB_MAX_TRANSFER`.
  static let maximumTransfer = 4 << 20

  /// Reads a whole file. `device` selects a device of a capture, or names the device that an `.ioctl`
  /// file belongs to.
  ///
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
