internal import AuthcoreABI

/// The USB device behind a driver: `usb/1` with Swift types.
///
/// All calls are made on the owner's thread, and block until their deadline at most. An interrupt
/// of the host ends them with ``SensorFailure/Code/interrupted``. Interfaces that are still claimed
/// are released with the last copy of the value.
@safe public struct USBDevice {
  // The table lives until the process ends (common.h).
  let service: UnsafePointer<ac_usb_service_t>
  let interruption: Interruption
  private let claims: USBClaims

  init(_ service: UnsafePointer<ac_usb_service_t>, interruption: Interruption) throws(SensorFailure)
  {
    guard unsafe Int(service.pointee.struct_size) >= MemoryLayout<ac_usb_service_t>.size else {
      throw SensorFailure(.versionMismatch, "The host's usb/1 is older than this driver needs")
    }
    unsafe self.service = unsafe service
    self.interruption = interruption
    unsafe claims = USBClaims(service)
  }

  /// Claims an interface, detaching a kernel driver if possible.
  public func claimInterface(_ number: UInt8) throws(SensorFailure) {
    try unsafe call("Claiming interface \(number)") { unsafe $0.claim_interface($0.device, number) }
    claims.numbers.insert(number)
  }

  public func releaseInterface(_ number: UInt8) throws(SensorFailure) {
    claims.numbers.remove(number)
    try unsafe call("Releasing interface \(number)") {
      unsafe $0.release_interface($0.device, number)
    }
  }

  /// Reads up to `length` bytes by a control transfer, fewer if the device has no more.
  public func read(
    _ request: USBControlRequest, length: UInt16, deadline: Duration? = .seconds(5)
  ) throws(SensorFailure) -> [UInt8] {
    try unsafe read("Reading by \(request)", capacity: Int(length)) { service, bytes, count in
      unsafe service.control(
        service.device, request.type(isRead: true), request.request, request.value, request.index,
        bytes, length, USBDevice.milliseconds(deadline), count)
    }
  }

  /// Writes `bytes` by a control transfer.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` also if the device takes fewer bytes.
  public func write(
    _ request: USBControlRequest, _ bytes: [UInt8] = [], deadline: Duration? = .seconds(5)
  ) throws(SensorFailure) {
    guard let length = UInt16(exactly: bytes.count) else {
      throw SensorFailure(.argument, "A control transfer of \(bytes.count) bytes is not possible")
    }
    try unsafe write("Writing by \(request)", bytes) { service, bytes, count in
      unsafe service.control(
        service.device, request.type(isRead: false), request.request, request.value, request.index,
        bytes, length, USBDevice.milliseconds(deadline), count)
    }
  }

  /// Reads up to `length` bytes from an endpoint, fewer after a short packet or if the deadline
  /// passes after some have come.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` if none came.
  public func read(from endpoint: USBEndpoint, length: Int, deadline: Duration?)
    throws(SensorFailure)
    -> [UInt8]
  {
    try unsafe read("Reading from \(endpoint)", capacity: length) { service, bytes, count in
      unsafe service.transfer(
        service.device, endpoint.kind.rawValue, endpoint.address, bytes, UInt32(length),
        USBDevice.milliseconds(deadline), count)
    }
  }

  /// Writes `bytes` to an endpoint.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` also if the device takes fewer bytes.
  public func write(_ bytes: [UInt8], to endpoint: USBEndpoint, deadline: Duration?)
    throws(SensorFailure)
  {
    guard bytes.count <= Int(USBDevice.maximumTransfer) else {
      throw USBDevice.tooLong(bytes.count)
    }
    try unsafe write("Writing to \(endpoint)", bytes) { service, data, count in
      unsafe service.transfer(
        service.device, endpoint.kind.rawValue, endpoint.address, data, UInt32(bytes.count),
        USBDevice.milliseconds(deadline), count)
    }
  }

  /// Queues a read that may complete while other calls run. At most 16 can be pending.
  public func submitRead(from endpoint: USBEndpoint, length: Int) throws(SensorFailure)
    -> PendingRead
  {
    guard 0...Int(USBDevice.maximumTransfer) ~= length else { throw USBDevice.tooLong(length) }
    var ticket: UInt32 = 0
    try unsafe call("Queueing a read from \(endpoint)") {
      unsafe $0.submit_read(
        $0.device, endpoint.kind.rawValue, endpoint.address, UInt32(length), &ticket)
    }
    return PendingRead(device: self, endpoint: endpoint, length: length, ticket: ticket)
  }

  /// Ends the halt of an endpoint after ``SensorFailure/Code/stall``.
  public func clearHalt(_ endpoint: USBEndpoint) throws(SensorFailure) {
    try unsafe call("Clearing the halt of \(endpoint)") {
      unsafe $0.clear_halt($0.device, endpoint.address)
    }
  }

  /// Resets the device; claimed interfaces stay claimed.
  public func reset() throws(SensorFailure) {
    try unsafe call("Resetting the device") { unsafe $0.reset($0.device) }
  }
}

/// The interfaces that a driver has claimed. They are released when it closes its device, or fails
/// to open it.
@safe private final class USBClaims {
  var numbers: Set<UInt8> = []
  private let service: UnsafePointer<ac_usb_service_t>

  init(_ service: UnsafePointer<ac_usb_service_t>) { unsafe self.service = unsafe service }

  deinit {
    for number in numbers {
      // Fails if the device is gone, which is fine.
      _ = unsafe service.pointee.release_interface(service.pointee.device, number)
    }
  }
}

extension USBDevice {
  /// The device's descriptor and interfaces, to find an interface by its class.
  public func info() throws(SensorFailure) -> USBDeviceInfo {
    try unsafe USBDeviceInfo(
      device: { info throws(SensorFailure) in
        try unsafe call("Reading the device's descriptor") {
          unsafe $0.device_info($0.device, info)
        }
      },
      interface: { index, info throws(SensorFailure) in
        try unsafe call("Reading the descriptor of interface \(index)") {
          unsafe $0.interface_info($0.device, index, info)
        }
      })
  }
}

extension USBDevice {
  /// `AC_USB_MAX_TRANSFER`
  static var maximumTransfer: UInt32 { 4 * 1024 * 1024 }

  static func tooLong(_ length: Int) -> SensorFailure {
    SensorFailure(
      .argument, "A transfer of \(length) bytes is not possible; the limit is \(maximumTransfer)")
  }

  /// A deadline as usb/1 takes it, rounded up, or `AC_USB_NO_TIMEOUT` for nil.
  static func milliseconds(_ deadline: Duration?) -> UInt32 {
    guard let deadline else { return .max }
    guard deadline > .zero else { return 0 }
    let (seconds, attoseconds) = deadline.components
    guard seconds < 4_000_000 else { return .max - 1 }
    return UInt32(seconds) * 1000
      + UInt32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Makes one call of the table, and turns its status into a failure.
  ///
  /// A transfer can report an interrupt that this driver has already taken by
  /// ``Interruption/check()``, because the request reaches the device a moment after the flag. Then
  /// the call is repeated.
  func call(_ action: @autoclosure () -> String, _ body: (ac_usb_service_t) -> ac_status_t)
    throws(SensorFailure)
  {
    var status = unsafe body(service.pointee)
    if status == ac_status_t(AC_ERR_INTERRUPTED) && !interruption.take() {
      status = unsafe body(service.pointee)
    }
    guard status != ac_status_t(AC_OK) else { return }
    throw USBDevice.failure(status, action())
  }

  /// Reads into a new array. It is no failure if the deadline passes after some bytes have come.
  func read(
    _ action: @autoclosure () -> String, capacity: Int,
    _ body: (ac_usb_service_t, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>) ->
      ac_status_t
  ) throws(SensorFailure) -> [UInt8] {
    guard 0...Int(USBDevice.maximumTransfer) ~= capacity else { throw USBDevice.tooLong(capacity) }
    var bytes = [UInt8](repeating: 0, count: capacity)
    var count: UInt32 = 0
    do throws(SensorFailure) {
      try unsafe call(action()) { service in
        unsafe bytes.withUnsafeMutableBufferPointer { unsafe body(service, $0.baseAddress, &count) }
      }
    } catch {
      guard error.code == .timeout, count > 0 else { throw error }
    }
    guard Int(count) <= capacity else {
      throw SensorFailure(.protocolViolation, "\(action()): \(count) bytes came, \(capacity) fit")
    }
    bytes.removeSubrange(Int(count)...)
    return bytes
  }

  func write(
    _ action: @autoclosure () -> String, _ bytes: [UInt8],
    _ body: (ac_usb_service_t, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>) ->
      ac_status_t
  ) throws(SensorFailure) {
    // usb.h takes a mutable pointer for both directions.
    var bytes = bytes
    let length = bytes.count
    var count: UInt32 = 0
    try unsafe call(action()) { service in
      unsafe bytes.withUnsafeMutableBufferPointer { unsafe body(service, $0.baseAddress, &count) }
    }
    guard Int(count) == length else {
      throw SensorFailure(
        .protocolViolation, "\(action()): the device took \(count) of \(length) bytes")
    }
  }

  private static func failure(_ status: ac_status_t, _ action: String) -> SensorFailure {
    let code = SensorFailure.Code(rawValue: status) ?? .inputOutput
    let reason =
      switch code {
      case .gone: "the device was unplugged; plug it in again"
      case .timeout: "no answer in time"
      case .stall: "the device refused it (the endpoint halted)"
      case .interrupted: "interrupted"
      case .busy: "another program holds the device; end it"
      case .permission: "no permission for the device"
      default: "failure \(status)"
      }
    return SensorFailure(code, "\(action) failed: \(reason)")
  }
}
