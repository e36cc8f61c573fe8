// USBTransport: usb/1 with a real device through libusb, and which devices come and go.

public import AuthcoreABI
internal import CLibusb
internal import SensorKit

/// The entry point, which is linked under the name `ac_transport_entry` (usb.h).
@c(USBTransport_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_transport: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>!
) -> ac_status_t {
  LibusbTransport.prepare()
  return unsafe export(
    LibusbTransport.self,
    watch: { (context) throws(SensorFailure) in try DeviceWatch(context) }, host: host,
    ret: ret_transport)
}

/// A real device. Calls are made on the owner's thread, which handles libusb's events while it
/// waits.
final class LibusbTransport: SensorKit.USBTransport {
  static let name = "usb"

  let info: USBDeviceInfo
  private let device: LibusbDevice
  private let interruption: Interruption
  private var transfers: [UInt32: LibusbTransfer] = [:]
  private var recorder: TrafficRecorder?

  /// How long a transfer may take to end after it was cancelled.
  private static let cancellation = Duration.seconds(2)
  /// How long to ask a failing device whether it is still there. A hub reports within a quarter of
  /// a second (USB 2.0, section 11.12.3) that it is not.
  private static let doubt = Duration.milliseconds(400)
  /// The time between two such questions, and for an answer.
  private static let pause = Duration.milliseconds(50)

  /// Makes what cannot be made after the process is confined. Called by the entry.
  static func prepare() {
    LibusbContext.prepare()
  }

  init(source: TransportSource, context: SensorContext) throws(SensorFailure) {
    device = try LibusbDevice(source)
    let descriptors = try unsafe DeviceDescriptors(device.handle, source)
    info = descriptors.info
    interruption = context.interruption
    if source.captureDescriptor >= 0 {
      recorder = TrafficRecorder(source.captureDescriptor, of: descriptors, host: context.host)
    }
    interruption.onRequest { [context = device.context] in context.wake() }
  }

  deinit {
    for transfer in transfers.values where !transfer.isOver { transfer.cancel() }
    for identifier in transfers.keys { _ = try? reap(identifier) }
  }

  func claimInterface(_ number: UInt8) throws(SensorFailure) {
    try device.claim(number)
  }

  func releaseInterface(_ number: UInt8) throws(SensorFailure) {
    try device.release(number)
  }

  func clearHalt(endpoint: UInt8) throws(SensorFailure) {
    try device.clearHalt(endpoint)
  }

  func reset() throws(SensorFailure) {
    try device.reset()
  }

  func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure) {
    let begun = try LibusbTransfer(transfer)
    try unsafe begun.submit(to: device.handle)
    transfers[identifier] = begun
    recorder?.begin(transfer, as: identifier)
  }

  func wait(for identifier: UInt32, deadline: Duration?) throws(SensorFailure)
    -> USBTransferResult
  {
    let transfer = try find(identifier)
    let end = deadline.map { Instant.now + $0 }
    // Takes what has already come, even if there is no time to wait.
    if !transfer.isOver { transfer.handleEvents(device.context, until: .now) }
    while !transfer.isOver {
      try interruption.check()
      if let end, end <= .now {
        throw SensorFailure(.timeout, "The device did not answer in time")
      }
      transfer.handleEvents(device.context, until: end)
    }
    let failure = try failure(of: transfer)
    forget(identifier, transfer)
    if let failure { throw failure }
    return transfer.transfer.isRead
      ? USBTransferResult(read: transfer.bytes) : USBTransferResult(written: transfer.count)
  }

  func cancel(_ identifier: UInt32) throws(SensorFailure) -> [UInt8] {
    guard transfers[identifier] != nil else { return [] }
    return try reap(identifier)
  }

  private func find(_ identifier: UInt32) throws(SensorFailure) -> LibusbTransfer {
    guard let transfer = transfers[identifier] else {
      throw SensorFailure(.argument, "There is no such transfer")
    }
    return transfer
  }

  /// Cancels a transfer, waits for its end, and returns what it has read.
  private func reap(_ identifier: UInt32) throws(SensorFailure) -> [UInt8] {
    let transfer = try find(identifier)
    if !transfer.isOver { transfer.cancel() }
    let end = Instant.now + Self.cancellation
    while !transfer.isOver && Instant.now < end {
      transfer.handleEvents(device.context, until: end)
    }
    forget(identifier, transfer)
    guard transfer.isOver else {
      throw SensorFailure(.inputOutput, "The kernel does not end \(transfer.transfer)")
    }
    return transfer.bytes
  }

  private func forget(_ identifier: UInt32, _ transfer: LibusbTransfer) {
    transfers[identifier] = nil
    recorder?.end(
      identifier, status: transfer.isOver ? transfer.status.errorNumber : -2,
      count: transfer.isOver ? transfer.count : 0, bytes: transfer.isOver ? transfer.bytes : [])
  }

  /// Why a transfer failed, or nil if it did not.
  private func failure(of transfer: LibusbTransfer) throws(SensorFailure) -> SensorFailure? {
    let action = "\(transfer.transfer)"
    switch transfer.status {
    case LIBUSB_TRANSFER_COMPLETED: return nil
    case LIBUSB_TRANSFER_STALL: return SensorFailure(.stall, "\(action): the endpoint halted")
    case LIBUSB_TRANSFER_NO_DEVICE: return LibusbFailure.gone(action)
    case LIBUSB_TRANSFER_OVERFLOW: return LibusbFailure.overlong(action)
    case LIBUSB_TRANSFER_TIMED_OUT, LIBUSB_TRANSFER_CANCELLED:
      return SensorFailure(.timeout, "\(action): the transfer was ended by the system")
    default:
      return try isThere()
        ? SensorFailure(.inputOutput, "\(action): the transfer failed; plug the device in again")
        : LibusbFailure.gone(action)
    }
  }

  /// Whether the device is still there: it answers GET_CONFIGURATION (USB 2.0, section 9.4.2), or
  /// the kernel says that it is gone.
  ///
  /// On some buses a pending transfer fails before the hub reports that the device is gone.
  private func isThere() throws(SensorFailure) -> Bool {
    let end = Instant.now + Self.doubt
    while Instant.now < end {
      try interruption.check()
      switch probe(until: end) {
      case LIBUSB_TRANSFER_COMPLETED: return true
      case LIBUSB_TRANSFER_NO_DEVICE: return false
      default: unsafe device.context.handleEvents(until: .now + Self.pause, completion: nil)
      }
    }
    return true
  }

  /// How one request to the device ends. Its identifier is 0, which no transfer of a driver has.
  private func probe(until end: Instant) -> libusb_transfer_status {
    let setup = USBSetup(type: 0x80, request: 8, value: 0, index: 0, length: 1)
    do throws(SensorFailure) {
      let probe = try LibusbTransfer(.control(setup, data: []))
      try unsafe probe.submit(to: device.handle)
      transfers[0] = probe
      let deadline = min(end, .now + Self.pause)
      while !probe.isOver && Instant.now < deadline {
        probe.handleEvents(device.context, until: deadline)
      }
      _ = try reap(0)
      return probe.status
    } catch {
      return error.code == .gone ? LIBUSB_TRANSFER_NO_DEVICE : LIBUSB_TRANSFER_ERROR
    }
  }
}

extension libusb_transfer_status {
  /// The kernel's number for it (Documentation/driver-api/usb/error-codes.rst).
  fileprivate var errorNumber: Int32 {
    switch self {
    case LIBUSB_TRANSFER_COMPLETED: 0
    case LIBUSB_TRANSFER_STALL: -32  // EPIPE
    case LIBUSB_TRANSFER_NO_DEVICE: -19  // ENODEV
    case LIBUSB_TRANSFER_OVERFLOW: -75  // EOVERFLOW
    case LIBUSB_TRANSFER_TIMED_OUT, LIBUSB_TRANSFER_CANCELLED: -2  // ENOENT
    default: -71  // EPROTO
    }
  }
}
