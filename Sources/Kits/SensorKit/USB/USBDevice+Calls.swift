internal import AuthcoreABI

extension USBDevice {
  /// `AC_USB_MAX_TRANSFER`
  static var maximumTransfer: UInt32 { 4 * 1024 * 1024 }

  static func tooLong(_ length: Int) -> SensorFailure {
    SensorFailure(
      .argument, "A transfer of \(length) bytes is not possible; the limit is \(maximumTransfer)")
  }

  /// A deadline as usb/1 takes it, rounded up; nil is `AC_USB_NO_TIMEOUT`.
  static func milliseconds(_ deadline: Duration?) -> UInt32 {
    guard let deadline else { return .max }
    guard deadline > .zero else { return 0 }
    let (seconds, attoseconds) = deadline.components
    guard seconds < 4_000_000 else { return .max - 1 }
    return UInt32(seconds) * 1000
      + UInt32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Makes one call of the table and turns its status into a failure.
  ///
  /// A transfer can report an interrupt that this driver already took by ``Interruption/check()``:
  /// the request reaches the device a moment after the flag. That echo is no news, so the call is
  /// made again.
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

  /// Reads into a fresh array. A deadline that passes after some bytes had come is no failure.
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
