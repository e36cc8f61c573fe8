import AuthcoreABI
import Glibc
package import LinuxSystem
package import Protocol

/// The reading end of a frame socket in the enclave's host. Passes on what can be a message of the
/// capture protocol, stamped with the channel. One thread.
package final class FrameChannel {
  /// The channel's number.
  package let number: UInt32
  private let socket: Descriptor
  private var reader = MessageReader(limit: HostProtocol.maximumFrameMessage)

  package init(_ number: UInt32, _ socket: consuming Descriptor) {
    self.number = number
    self.socket = socket
  }

  package var descriptor: Int32 { socket.number }

  package enum Arrival: ~Copyable {
    /// A message for the engine.
    case message(SecretBytes)
    /// The message is not complete.
    case nothingYet
    /// Nothing more will come, as this message tells the engine.
    case over(SecretBytes)
  }

  /// Reads at most one message without waiting, so that one channel cannot hold up the others.
  package func read() -> Arrival {
    do throws(StreamError) {
      guard let message = try reader.readAvailable(from: socket.number) else { return .nothingYet }
      guard let stamped = CaptureMessages.stamp(message, channel: number) else {
        return .over(end(SensorStatus.protocolViolation, "the driver's host sent no frame"))
      }
      return .message(stamped)
    } catch {
      switch error {
      case .closed: return .over(end(SensorStatus.gone, "the driver's host ended"))
      case .truncated, .timedOut, .tooLong, .tooManyDescriptors, .system:
        return .over(end(SensorStatus.protocolViolation, "the driver's host: \(error)"))
      }
    }
  }

  private func end(_ status: Int32, _ message: String) -> SecretBytes {
    SensorEnd.encoded(channel: number, session: 0, status: status, saying: message)
  }
}

/// The statuses of common.h, and words for them.
package enum SensorStatus {
  /// A phrase for a status, for drivers that set no message.
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
  package static var lift: Int32 { Int32(AC_RETRY_LIFT) }
  /// Whether a capture with this status has seen a finger: a frame, or a retry.
  package static func isOfFinger(_ status: Int32) -> Bool { 0...99 ~= status }
  package static var interrupted: Int32 { Int32(AC_ERR_INTERRUPTED) }
  package static var timeout: Int32 { Int32(AC_ERR_TIMEOUT) }
  package static var wrongState: Int32 { Int32(AC_ERR_STATE) }
}

/// The result of one capture, as read from a frame socket.
package enum TouchOutcome: Sendable {
  case frame(SensorFrame)
  case retry(SensorRetry)
  case end(SensorEnd)

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
