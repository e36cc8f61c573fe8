internal import CLibusb
internal import Glibc
internal import SensorKit
internal import Synchronization

/// An open device and its claimed interfaces, which are released when the value dies. Every
/// transfer must be over by then.
@safe final class LibusbDevice {
  let context: LibusbContext
  let handle: OpaquePointer
  /// A copy of the host's descriptor, or -1 if libusb opened the device.
  private let descriptor: Int32
  /// The claimed interfaces, and whether a kernel driver had each of them before.
  private var claimed: [UInt8: Bool] = [:]

  init(_ source: TransportSource) throws(SensorFailure) {
    var handle: OpaquePointer?
    if source.fileDescriptor >= 0 {
      context = try LibusbContext.wrapping()
      // The host may close its descriptor while the device is open.
      descriptor = fcntl(source.fileDescriptor, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0 else {
        throw SensorFailure(.inputOutput, "The device's descriptor cannot be used")
      }
      let code = unsafe libusb_wrap_sys_device(context.pointer, Int(descriptor), &handle)
      if code < 0 { Glibc.close(descriptor) }
      try LibusbFailure.check(code, "Opening the device")
    } else {
      context = try LibusbContext.finding()
      descriptor = -1
      unsafe handle = try Self.open(context, bus: source.bus, address: source.address)
    }
    guard let handle = unsafe handle else {
      throw SensorFailure(.inputOutput, "Opening the device gave nothing")
    }
    unsafe self.handle = handle
  }

  deinit {
    for number in claimed.keys { _ = try? release(number) }
    unsafe libusb_close(handle)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  private static func open(_ context: LibusbContext, bus: UInt8, address: UInt8)
    throws(SensorFailure) -> OpaquePointer?
  {
    var list: UnsafeMutablePointer<OpaquePointer?>?
    let count = unsafe libusb_get_device_list(context.pointer, &list)
    try LibusbFailure.check(Int32(clamping: min(count, 0)), "Looking for devices")
    defer { unsafe libusb_free_device_list(list, 1) }
    let devices = unsafe UnsafeMutableBufferPointer(start: list, count: count)
    let found = unsafe devices.first { device in
      unsafe libusb_get_bus_number(device) == bus && libusb_get_device_address(device) == address
    }
    guard let found = unsafe found else {
      throw SensorFailure(
        .notFound, "There is no USB device \(bus):\(address); plug it in, or look it up with lsusb")
    }
    var handle: OpaquePointer?
    try unsafe LibusbFailure.check(
      libusb_open(found, &handle), "Opening the device \(bus):\(address)")
    return unsafe handle
  }

  /// Claims an interface, and detaches its kernel driver. libusb's own way to do so fails with
  /// umockdev.
  func claim(_ number: UInt8) throws(SensorFailure) {
    var wasDriven = claimed[number] ?? false
    if unsafe libusb_kernel_driver_active(handle, Int32(number)) == 1 {
      wasDriven = unsafe libusb_detach_kernel_driver(handle, Int32(number)) == 0
    }
    try unsafe LibusbFailure.check(
      libusb_claim_interface(handle, Int32(number)), "Claiming interface \(number)")
    claimed[number] = wasDriven
  }

  /// Releases an interface, and attaches its kernel driver again.
  func release(_ number: UInt8) throws(SensorFailure) {
    guard let wasDriven = claimed.removeValue(forKey: number) else {
      throw SensorFailure(.notFound, "Interface \(number) is not claimed")
    }
    let code = unsafe libusb_release_interface(handle, Int32(number))
    if wasDriven { _ = unsafe libusb_attach_kernel_driver(handle, Int32(number)) }
    try LibusbFailure.check(code, "Releasing interface \(number)")
  }

  func clearHalt(_ endpoint: UInt8) throws(SensorFailure) {
    try unsafe LibusbFailure.check(
      libusb_clear_halt(handle, endpoint), "Clearing the halt of endpoint \(endpoint)")
  }

  func reset() throws(SensorFailure) {
    let code = unsafe libusb_reset_device(handle)
    guard code == LIBUSB_ERROR_NOT_FOUND.rawValue else {
      return try LibusbFailure.check(code, "Resetting the device")
    }
    // It came back as another device or not at all, or libusb could not claim an interface again.
    for number in claimed.keys {
      guard unsafe libusb_claim_interface(handle, Int32(number)) == 0 else {
        throw LibusbFailure.gone("Resetting the device")
      }
    }
  }
}

/// A context of libusb. It lives until the process ends, so that an interrupt may come at any time.
@safe struct LibusbContext: @unchecked Sendable {
  // Unchecked: the pointer never changes, and libusb locks what it points to.
  let pointer: OpaquePointer

  /// The contexts of this process, each made once.
  private struct Made {
    var wrapping: LibusbContext?
    var finding: LibusbContext?
  }

  private static let made = Mutex(Made())

  /// Makes the context for a device that is given as a descriptor, if it cannot be made later: a
  /// host makes its sandbox tighter after a transport's entry, and libusb needs two descriptors of
  /// its own.
  package static func prepare() {
    guard ac_is_confined() else { return }
    // If this fails, opening a device will report it.
    _ = try? wrapping()
  }

  /// For devices that are given as a descriptor. It looks for no devices itself.
  static func wrapping() throws(SensorFailure) -> LibusbContext {
    try made.withLock { (made) throws(SensorFailure) in
      if let context = made.wrapping { return context }
      // This affects the whole process (libusb 1.0.26), so devices must have been found before.
      try LibusbFailure.check(ac_libusb_disable_discovery(), "Preparing libusb")
      let context = try LibusbContext()
      made.wrapping = context
      return context
    }
  }

  /// For devices that are found by bus and address.
  static func finding() throws(SensorFailure) -> LibusbContext {
    try made.withLock { (made) throws(SensorFailure) in
      if let context = made.finding { return context }
      let context = try LibusbContext()
      made.finding = context
      return context
    }
  }

  private init() throws(SensorFailure) {
    var context: OpaquePointer?
    try unsafe LibusbFailure.check(libusb_init(&context), "Starting libusb")
    guard let context = unsafe context else {
      throw SensorFailure(.memory, "Starting libusb gave nothing")
    }
    unsafe pointer = context
  }

  /// Makes the thread that handles events return soon. On any thread; never blocks.
  func wake() {
    unsafe libusb_interrupt_event_handler(pointer)
  }

  /// Handles events. Returns at `end`, after ``wake()``, or once a transfer's callback has set
  /// `completion`.
  func handleEvents(until end: Instant?, completion: UnsafeMutablePointer<Int32>?) {
    // At most a minute at a time.
    let left = max(.zero, end.map { $0 - .now } ?? .seconds(60))
    let (seconds, attoseconds) = min(left, .seconds(60)).components
    var time = timeval(
      tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    _ = unsafe libusb_handle_events_timeout_completed(pointer, &time, completion)
  }
}

/// Makes failures of libusb's error codes.
enum LibusbFailure {
  static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(SensorFailure) {
    guard code < 0 else { return }
    throw make(code, action())
  }

  static func make(_ code: Int32, _ action: String) -> SensorFailure {
    switch libusb_error(rawValue: code) {
    case LIBUSB_ERROR_NO_DEVICE: gone(action)
    case LIBUSB_ERROR_ACCESS:
      SensorFailure(
        .permission,
        "\(action): no permission for the device; install the udev rule that \"authcore driver udev-rules\" prints, then plug the device in again"
      )
    case LIBUSB_ERROR_BUSY:
      SensorFailure(
        .busy,
        "\(action): another program or a driver of the kernel holds the device; end that program")
    case LIBUSB_ERROR_NOT_FOUND: SensorFailure(.notFound, "\(action): the device has no such part")
    case LIBUSB_ERROR_NO_MEM: SensorFailure(.memory, "\(action): no memory")
    case LIBUSB_ERROR_NOT_SUPPORTED:
      SensorFailure(.unsupported, "\(action): this system or device does not support it")
    case LIBUSB_ERROR_INVALID_PARAM: SensorFailure(.argument, "\(action): libusb refuses it")
    case LIBUSB_ERROR_PIPE: SensorFailure(.stall, "\(action): the endpoint halted")
    case LIBUSB_ERROR_OVERFLOW: overlong(action)
    default:
      SensorFailure(
        .inputOutput,
        "\(action) failed (\(unsafe String(cString: libusb_error_name(code)))); plug the device in again"
      )
    }
  }

  static func gone(_ action: String) -> SensorFailure {
    SensorFailure(.gone, "\(action): the device was unplugged; plug it in again")
  }

  static func overlong(_ action: String) -> SensorFailure {
    SensorFailure(
      .protocolViolation,
      "\(action): the device sent more than was asked for; it is damaged or not the model that the driver takes it for"
    )
  }
}
