import AuthcoreABI
package import Protocol

/// The outcomes of common.h as words.
package enum SensorStatus {
  /// One phrase for a status, for messages about drivers that set none of their own.
  package static func text(_ status: Int32) -> String {
    switch Int(status) {
    case Int(AC_ERR_TIMEOUT): "nothing came before the deadline"
    case Int(AC_ERR_INTERRUPTED): "it was interrupted"
    case Int(AC_ERR_GONE): "the device is gone"
    case Int(AC_ERR_BUSY): "another program holds the device"
    case Int(AC_ERR_PERMISSION): "the device may not be opened"
    case Int(AC_ERR_PROTOCOL): "the device answered with something it should not"
    case Int(AC_ERR_IO): "the transfer failed"
    case Int(AC_ERR_STALL): "the endpoint halted"
    case Int(AC_ERR_TOO_HOT): "the device must cool down"
    case Int(AC_ERR_ARGUMENT): "an argument was refused"
    case Int(AC_ERR_OPTION): "an option is not understood"
    case Int(AC_ERR_UNSUPPORTED): "it is not supported"
    case Int(AC_ERR_ABI): "the versions do not fit"
    case Int(AC_ERR_MEMORY): "there is no memory for it"
    case Int(AC_ERR_STATE): "it is not possible in this state"
    case Int(AC_ERR_DATA): "its data is damaged"
    case Int(AC_ERR_NOT_FOUND): "nothing of that name was found"
    default: "status \(status)"
    }
  }

  package static var gone: Int32 { Int32(AC_ERR_GONE) }
  package static var protocolViolation: Int32 { Int32(AC_ERR_PROTOCOL) }
  package static var interrupted: Int32 { Int32(AC_ERR_INTERRUPTED) }
  package static var timeout: Int32 { Int32(AC_ERR_TIMEOUT) }
  package static var wrongState: Int32 { Int32(AC_ERR_STATE) }
}

/// What one capture gave, as the reading end of a frame socket hears it.
package enum TouchOutcome: Sendable {
  /// The image of a touch.
  case frame(SensorFrame)
  /// The person has to try again.
  case retry(SensorRetry)
  /// It is over without a touch.
  case end(SensorEnd)

  /// Any bytes give an outcome or an error.
  package static func decode(_ bytes: Span<UInt8>) throws(DecodeError) -> TouchOutcome {
    guard bytes.count > 0 else { throw .truncated(wanted: 1, left: 0) }
    switch bytes[0] {
    case SensorFrame.number: return .frame(try SensorFrame.decode(bytes))
    case SensorRetry.number: return .retry(try SensorRetry.decode(bytes))
    case SensorEnd.number: return .end(try SensorEnd.decode(bytes))
    default: throw .unknownMessage(number: bytes[0])
    }
  }
}
