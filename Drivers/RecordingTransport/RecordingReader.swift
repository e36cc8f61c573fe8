internal import USBCapture

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
