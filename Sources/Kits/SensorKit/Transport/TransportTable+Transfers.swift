internal import AuthcoreABI

extension TransportTable {
  static func control(
    _ device: OpaquePointer?, setup: USBSetup, data: UnsafeMutablePointer<UInt8>?, timeout: UInt32,
    ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      let buffer = try unsafe DriverBuffer(data, count: UInt32(setup.length))
      let transfer = USBTransfer.control(setup, data: setup.isRead ? [] : buffer.bytes)
      try unsafe run(device, transfer, buffer: buffer, timeout: timeout, ret: ret)
    }
  }

  static func transfer(
    _ device: OpaquePointer?, endpoint: USBEndpoint?, data: UnsafeMutablePointer<UInt8>?,
    length: UInt32, timeout: UInt32, ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let endpoint else { throw SensorFailure(.argument, "No such type of endpoint") }
      let buffer = try unsafe DriverBuffer(data, count: length)
      let transfer: USBTransfer =
        endpoint.address & 0x80 != 0
        ? .read(endpoint, length: Int(length)) : .write(endpoint, buffer.bytes)
      try unsafe run(device, transfer, buffer: buffer, timeout: timeout, ret: ret)
    }
  }

  static func wait(
    _ device: OpaquePointer?, ticket: UInt32, timeout: UInt32, data: UnsafeMutablePointer<UInt8>?,
    capacity: UInt32, ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      let buffer = try unsafe DriverBuffer(data, count: capacity)
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let bytes = try device.wait(for: ticket, deadline: deadline(timeout))
      unsafe ret.pointee = buffer.store(bytes)
    }
  }

  private static func run(
    _ device: OpenTransport, _ transfer: USBTransfer, buffer: DriverBuffer, timeout: UInt32,
    ret: UnsafeMutablePointer<UInt32>?
  ) throws(SensorFailure) {
    guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
    let (result, isComplete) = try device.transfer(transfer, deadline: deadline(timeout))
    // usb.h: on a timeout the count is written too, with what had come.
    unsafe ret.pointee = transfer.isRead ? buffer.store(result.bytes) : UInt32(result.count)
    guard isComplete else { throw SensorFailure(.timeout, "The deadline of a transfer passed") }
  }

  private static func deadline(_ milliseconds: UInt32) -> Duration? {
    milliseconds == .max ? nil : .milliseconds(milliseconds)
  }
}

/// The memory a driver passes for a transfer; usb.h lets it be used until the call returns.
@safe private struct DriverBuffer {
  private let memory: UnsafeMutableBufferPointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>?, count: UInt32) throws(SensorFailure) {
    guard count <= USBDevice.maximumTransfer else { throw USBDevice.tooLong(Int(count)) }
    guard unsafe start != nil || count == 0 else {
      throw SensorFailure(.argument, "There is no memory for \(count) bytes")
    }
    unsafe memory = UnsafeMutableBufferPointer(start: start, count: Int(count))
  }

  var bytes: [UInt8] { unsafe Array(memory) }

  /// Copies what fits and returns how much that is.
  func store(_ bytes: [UInt8]) -> UInt32 {
    UInt32(unsafe memory.update(fromContentsOf: bytes.prefix(memory.count)))
  }
}
