internal import SensorKit

/// Scans fingers. A scan that an interrupt left under way stays so: the reader takes no command
/// before its end.
struct Camera: ~Copyable {
  private static let endpoint = USBEndpoint.bulk(0x82)
  /// A whole image; the reader sends a line less.
  private static let length = ImageHeader.size + ImageHeader.width * ImageHeader.height
  /// A scan and its transfer take 0.13 s.
  private static let time = Duration.seconds(1)

  private let usb: USBDevice
  private let registers: Registers
  private var transfer: PendingRead?

  init(usb: USBDevice, registers: Registers) {
    (self.usb, self.registers) = (usb, registers)
    transfer = nil
  }

  /// Scans the finger. The read is queued before the command, or the image would be missed.
  ///
  /// - Returns: the transfer; nothing when the scan failed.
  mutating func scan() throws(SensorFailure) -> [UInt8] {
    transfer = try usb.submitRead(from: Self.endpoint, length: Self.length)
    try registers.set(.capture)
    return try receive()
  }

  /// Waits for the end of a scan that was left under way.
  mutating func finish() throws(SensorFailure) {
    if transfer != nil { _ = try receive() }
  }

  /// Ends the transfer.
  mutating func forget() {
    transfer = nil
  }

  private mutating func receive() throws(SensorFailure) -> [UInt8] {
    do throws(SensorFailure) {
      let bytes = try transfer?.wait(deadline: Self.time) ?? []
      transfer = nil
      return bytes
    } catch {
      guard error.code != .interrupted else { throw error }
      transfer = nil
      if error.code == .stall { try usb.clearHalt(Self.endpoint) }
      guard error.code == .stall || error.code == .timeout else { throw error }
      return []
    }
  }
}
