internal import CLibusb
internal import SensorKit

/// What the error codes of libusb mean for a person.
enum LibusbFailure {
  /// Throws unless `code` says success.
  static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(SensorFailure) {
    guard code < 0 else { return }
    throw make(code, action())
  }

  /// The failure for a code of `enum libusb_error`.
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
