internal import CLibusb
internal import Glibc
internal import SensorKit
internal import USBCapture

/// One transfer of libusb with its memory. Owner thread only.
///
/// The kernel owns the memory from ``submit(to:)`` until ``isOver``. If the value dies before, the
/// memory is leaked.
@safe final class LibusbTransfer {
  let transfer: USBTransfer
  private let memory: UnsafeMutablePointer<libusb_transfer>
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// Not 0 once the transfer is over.
  private let completion: UnsafeMutablePointer<Int32>
  private var isSubmitted = false

  init(_ transfer: USBTransfer) throws(SensorFailure) {
    guard let memory = unsafe libusb_alloc_transfer(0) else {
      throw SensorFailure(.memory, "No memory for a USB transfer")
    }
    self.transfer = transfer
    unsafe self.memory = memory
    let content = Self.content(of: transfer)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: content.count)
    _ = unsafe buffer.initialize(fromContentsOf: content)
    unsafe self.buffer = buffer
    let completion = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    unsafe completion.initialize(to: 0)
    unsafe self.completion = completion
  }

  deinit {
    guard !isSubmitted || isOver else { return }
    unsafe libusb_free_transfer(memory)
    unsafe buffer.deallocate()
    unsafe completion.deallocate()
  }

  func submit(to device: OpaquePointer) throws(SensorFailure) {
    unsafe memory.pointee.dev_handle = device
    unsafe memory.pointee.buffer = buffer.baseAddress
    unsafe memory.pointee.length = Int32(buffer.count)
    unsafe memory.pointee.user_data = UnsafeMutableRawPointer(completion)
    unsafe memory.pointee.callback = { transfer in
      // user_data is the completion of the transfer, which outlives it.
      unsafe transfer?.pointee.user_data.assumingMemoryBound(to: Int32.self).pointee = 1
    }
    switch transfer {
    case .control:
      unsafe memory.pointee.type = UInt8(LIBUSB_TRANSFER_TYPE_CONTROL.rawValue)
      unsafe memory.pointee.endpoint = 0
    case .read(let endpoint, _), .write(let endpoint, _):
      let type = endpoint.kind == .bulk ? LIBUSB_TRANSFER_TYPE_BULK : LIBUSB_TRANSFER_TYPE_INTERRUPT
      unsafe memory.pointee.type = UInt8(type.rawValue)
      unsafe memory.pointee.endpoint = endpoint.address
    }
    try unsafe LibusbFailure.check(libusb_submit_transfer(memory), "\(transfer)")
    isSubmitted = true
  }

  var isOver: Bool { unsafe completion.pointee != 0 }

  /// Valid once it is over.
  var status: libusb_transfer_status { unsafe memory.pointee.status }

  /// How many bytes moved. Valid once it is over.
  var count: Int { max(0, min(unsafe Int(memory.pointee.actual_length), transfer.length)) }

  /// The bytes that were read. Valid once it is over.
  var bytes: [UInt8] {
    guard transfer.isRead else { return [] }
    let start = unsafe buffer.count - transfer.length
    return unsafe Array(buffer[start..<(start + count)])
  }

  /// Waits until it is over, until `end`, or until the context is woken.
  func handleEvents(_ context: LibusbContext, until end: Instant?) {
    unsafe context.handleEvents(until: end, completion: completion)
  }

  /// Asks the kernel to end it. Does nothing if it has ended.
  func cancel() {
    _ = unsafe libusb_cancel_transfer(memory)
  }

  /// The first contents of the memory. A control transfer has its setup packet before its data.
  private static func content(of transfer: USBTransfer) -> [UInt8] {
    switch transfer {
    case .control(let setup, let data):
      setup.packet + data + [UInt8](repeating: 0, count: Int(setup.length) - data.count)
    case .read(_, let length): [UInt8](repeating: 0, count: length)
    case .write(_, let bytes): bytes
    }
  }
}

/// A time of the kernel's clock, which transfers use instead of the host's.
struct Instant: Comparable {
  private let nanoseconds: Int64

  private init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// `CLOCK_BOOTTIME` of `clock_gettime(2)`
  static var now: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  static func + (instant: Instant, duration: Duration) -> Instant {
    let (seconds, attoseconds) = duration.components
    // Ten years at most, so that the sum cannot overflow.
    let bounded = min(max(seconds, 0), 315_360_000)
    return Instant(
      nanoseconds: instant.nanoseconds + bounded * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  static func - (end: Instant, start: Instant) -> Duration {
    .nanoseconds(end.nanoseconds - start.nanoseconds)
  }

  static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
