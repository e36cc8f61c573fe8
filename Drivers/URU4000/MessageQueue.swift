internal import SensorKit

/// What the reader reports of itself: 64 bytes, of which only the first two mean something.
package enum Message: Equatable {
  /// The scanner has power. May be repeated.
  case powered
  /// A finger lies on the reader.
  case fingerOn
  /// It was lifted.
  case fingerOff
  /// The scan that follows will probably bring nothing.
  case death
  /// Something this driver need not know.
  case other(UInt16)

  /// The length of every message.
  package static let size = 64

  /// Reads a message; nil when it has another length.
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

/// The reader's messages. Reads are queued from before the first register access until the end: the
/// device keeps only three messages, and sends some while the host waits for a register.
///
/// Two reads, so that one is still queued when a message comes during a register access, which
/// blocks this thread.
struct MessageQueue: ~Copyable {
  private static let endpoint = USBEndpoint.interrupt(0x81)

  private let usb: USBDevice
  private var oldest: PendingRead?
  private var newest: PendingRead?

  /// What came of waiting.
  enum Arrival: Equatable {
    case message(Message)
    /// The endpoint halted and was set going again; messages may be lost.
    case interruption
  }

  init(usb: USBDevice) throws(SensorFailure) {
    self.usb = usb
    try fill()
  }

  /// Waits for the next message.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` also for a read that ends without bytes, as a
  ///   cancelled one does.
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

  /// Drops the messages that are there already.
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

  /// Ends the reads; the next wait queues new ones.
  mutating func forget() {
    oldest = nil
    newest = nil
  }
}

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
