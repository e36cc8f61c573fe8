internal import AuthcoreABI

/// What an `ac_usb_t *` of a Swift transport points to: the open device and its pending reads. It
/// keeps the rules of usb.h that are the same for every transport.
final class OpenTransport {
  let interruption: Interruption
  var transport: any USBTransport
  private var pendingReads: Set<UInt32> = []
  private var lastIdentifier: UInt32 = 0

  init(_ transport: any USBTransport, interruption: Interruption) {
    (self.transport, self.interruption) = (transport, interruption)
  }

  /// Makes a transfer, and waits for it.
  ///
  /// - Returns: What moved, and whether the transfer was complete before its deadline.
  func transfer(_ transfer: USBTransfer, deadline: Duration?) throws(SensorFailure)
    -> (result: USBTransferResult, isComplete: Bool)
  {
    try checkLength(transfer.length)
    try interruption.check()
    let identifier = nextIdentifier()
    try transport.submit(transfer, as: identifier)
    do throws(SensorFailure) {
      return (try transport.wait(for: identifier, deadline: deadline), true)
    } catch {
      guard error.code == .timeout || error.code == .interrupted else { throw error }
      let moved = try transport.cancel(identifier)
      if error.code == .timeout { return (USBTransferResult(read: moved), false) }
      throw error
    }
  }

  func submitRead(_ endpoint: USBEndpoint, length: Int) throws(SensorFailure) -> UInt32 {
    try checkLength(length)
    guard endpoint.address & 0x80 != 0 else {
      throw SensorFailure(.argument, "A read cannot be queued for the OUT \(endpoint)")
    }
    guard pendingReads.count < Int(AC_USB_MAX_PENDING_READS) else {
      throw SensorFailure(
        .state, "\(pendingReads.count) reads are pending; wait for one or cancel it")
    }
    let identifier = nextIdentifier()
    try transport.submit(.read(endpoint, length: length), as: identifier)
    pendingReads.insert(identifier)
    return identifier
  }

  func wait(for ticket: UInt32, deadline: Duration?) throws(SensorFailure) -> [UInt8] {
    guard pendingReads.contains(ticket) else {
      throw SensorFailure(.argument, "No read with the ticket \(ticket) is pending")
    }
    try interruption.check()
    do throws(SensorFailure) {
      let result = try transport.wait(for: ticket, deadline: deadline)
      pendingReads.remove(ticket)
      return result.bytes
    } catch {
      if error.code != .timeout && error.code != .interrupted { pendingReads.remove(ticket) }
      throw error
    }
  }

  func cancel(_ ticket: UInt32) throws(SensorFailure) {
    guard pendingReads.remove(ticket) != nil else {
      throw SensorFailure(.argument, "No read with the ticket \(ticket) is pending")
    }
    _ = try transport.cancel(ticket)
  }

  private func checkLength(_ length: Int) throws(SensorFailure) {
    guard 0...Int(USBDevice.maximumTransfer) ~= length else { throw USBDevice.tooLong(length) }
  }

  /// Skips 0, which is not a ticket (usb.h).
  private func nextIdentifier() -> UInt32 {
    repeat {
      lastIdentifier &+= 1
    } while lastIdentifier == 0 || pendingReads.contains(lastIdentifier)
    return lastIdentifier
  }
}
