internal import SensorKit

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
