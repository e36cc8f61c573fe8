internal import CLibusb
internal import Glibc
internal import SensorKit

/// A device that is open, and the interfaces of it that are claimed. Dying releases and closes;
/// every transfer must be over by then.
@safe final class LibusbDevice {
  let context: LibusbContext
  let handle: OpaquePointer
  /// Our copy of the descriptor that was handed over; -1: libusb opened the device.
  private let descriptor: Int32
  /// Claimed interfaces, and whether a driver of the kernel had been there.
  private var claimed: [UInt8: Bool] = [:]

  /// Opens what the source tells of.
  init(_ source: TransportSource) throws(SensorFailure) {
    var handle: OpaquePointer?
    if source.fileDescriptor >= 0 {
      context = try LibusbContext.wrapping()
      // The host may close its own while the device is open.
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

  /// Claims an interface. A driver of the kernel that holds it is sent away by hand: where libusb
  /// does so itself, umockdev fails.
  func claim(_ number: UInt8) throws(SensorFailure) {
    var wasDriven = claimed[number] ?? false
    if unsafe libusb_kernel_driver_active(handle, Int32(number)) == 1 {
      wasDriven = unsafe libusb_detach_kernel_driver(handle, Int32(number)) == 0
    }
    try unsafe LibusbFailure.check(
      libusb_claim_interface(handle, Int32(number)), "Claiming interface \(number)")
    claimed[number] = wasDriven
  }

  /// Gives an interface back, to the kernel's driver where there was one.
  func release(_ number: UInt8) throws(SensorFailure) {
    guard let wasDriven = claimed.removeValue(forKey: number) else {
      throw SensorFailure(.notFound, "Interface \(number) is not claimed")
    }
    let code = unsafe libusb_release_interface(handle, Int32(number))
    if wasDriven { _ = unsafe libusb_attach_kernel_driver(handle, Int32(number)) }
    try LibusbFailure.check(code, "Releasing interface \(number)")
  }

  /// Ends a halt on both sides.
  func clearHalt(_ endpoint: UInt8) throws(SensorFailure) {
    try unsafe LibusbFailure.check(
      libusb_clear_halt(handle, endpoint), "Clearing the halt of endpoint \(endpoint)")
  }

  func reset() throws(SensorFailure) {
    let code = unsafe libusb_reset_device(handle)
    guard code == LIBUSB_ERROR_NOT_FOUND.rawValue else {
      return try LibusbFailure.check(code, "Resetting the device")
    }
    // It came back as another device, or not at all; or an interface could not be claimed again by
    // libusb's own way.
    for number in claimed.keys {
      guard unsafe libusb_claim_interface(handle, Int32(number)) == 0 else {
        throw LibusbFailure.gone("Resetting the device")
      }
    }
  }
}
