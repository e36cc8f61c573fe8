internal import SensorKit

/// A report of the reader: 64 bytes, of which only the first two mean something.
package enum Message: Equatable {
  /// The scanner has power. May be repeated.
  case powered
  case fingerOn
  case fingerOff
  /// The next scan will probably fail.
  case death
  /// Something this driver need not know.
  case other(UInt16)

  package static let size = 64

  /// Returns nil for another length.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    switch UInt16(bytes[0]) << 8 | UInt16(bytes[1]) {
    case 0x56AA: self = .powered
    case 0x0101: self = .fingerOn
    case 0x0200: self = .fingerOff
    case 0x0800: self = .death
    case let code: self = .other(code)
    }
  }
}

/// The reader's messages. Reads are queued all the time, because the device keeps only three
/// messages, and sends some while the host accesses a register. There are two reads, so that one is
/// still queued if a message comes during an access, which blocks this thread.
struct MessageQueue: ~Copyable {
  /// How many messages the device keeps.
  static let kept = 3

  private static let endpoint = USBEndpoint.interrupt(0x81)

  private let usb: USBDevice
  private var oldest: PendingRead?
  private var newest: PendingRead?

  enum Arrival: Equatable {
    case message(Message)
    /// The endpoint halted and was cleared. Messages may be lost.
    case interruption
  }

  init(usb: USBDevice) throws(SensorFailure) {
    self.usb = usb
    try fill()
  }

  /// Waits for the next message.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` also if the read ends without bytes, as a cancelled
  ///   one does.
  mutating func next(within deadline: Duration) throws(SensorFailure) -> Arrival {
    try fill()
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try oldest?.wait(deadline: max(.zero, deadline)) ?? []
    } catch {
      guard error.code == .stall else {
        if error.code != .timeout && error.code != .interrupted { forget() }
        throw error
      }
      forget()
      try usb.clearHalt(Self.endpoint)
      try fill()
      return .interruption
    }
    oldest = newest.take()
    try fill()
    guard !bytes.isEmpty else { throw SensorFailure(.timeout, "The wait for the reader has ended") }
    guard let message = Message(bytes) else {
      throw SensorFailure(
        .protocolViolation,
        "The reader sent a message of \(bytes.count) bytes, not \(Message.size); "
          + Registers.wayOut)
    }
    return .message(message)
  }

  /// Drops the messages that have already come.
  mutating func discard() throws(SensorFailure) {
    // More than the device and the two reads can hold.
    for _ in 0..<8 {
      do throws(SensorFailure) {
        _ = try next(within: .zero)
      } catch {
        guard error.code == .timeout else { throw error }
        return
      }
    }
  }

  private mutating func fill() throws(SensorFailure) {
    if oldest == nil { oldest = newest.take() }
    if oldest == nil { oldest = try usb.submitRead(from: Self.endpoint, length: Message.size) }
    if newest == nil { newest = try usb.submitRead(from: Self.endpoint, length: Message.size) }
  }

  /// Cancels the reads. The next wait queues new ones.
  mutating func forget() {
    oldest = nil
    newest = nil
  }
}

/// Scans fingers. If an interrupt comes during a scan, the scan goes on, because the reader takes
/// no command before its end.
struct Camera: ~Copyable {
  private static let endpoint = USBEndpoint.bulk(0x82)
  /// The bytes of a whole image. The reader sends one line less.
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
  /// - Returns: the transfer, which is empty if the scan failed.
  mutating func scan() throws(SensorFailure) -> [UInt8] {
    transfer = try usb.submitRead(from: Self.endpoint, length: Self.length)
    try registers.set(.capture)
    return try receive()
  }

  /// Waits for the end of a scan that is still under way.
  mutating func finish() throws(SensorFailure) {
    if transfer != nil { _ = try receive() }
  }

  /// Cancels the transfer.
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
