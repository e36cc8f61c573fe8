import Glibc
package import LinuxSystem
package import Protocol

/// The reading end of a frame socket in the enclave's host: takes what a driver's host sends, and
/// lets through what can be a message of the capture protocol, stamped with the channel. Serves one
/// thread.
package final class FrameChannel {
  /// What the engine knows the socket by.
  package let number: UInt32
  private let socket: Descriptor
  private var reader = MessageReader(limit: HostProtocol.maximumFrameMessage)

  /// Takes over the socket.
  package init(_ number: UInt32, _ socket: consuming Descriptor) {
    self.number = number
    self.socket = socket
  }

  /// To poll.
  package var descriptor: Int32 { socket.number }

  /// What one look at the socket gave.
  package enum Arrival: ~Copyable {
    /// A message for the engine.
    case message(SecretBytes)
    /// The message is not complete.
    case nothingYet
    /// Nothing more will come; this message tells the engine.
    case over(SecretBytes)
  }

  /// Reads without waiting; one message at most, so that one channel cannot keep the others
  /// waiting.
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

  /// Sends the driver's host an order of the engine's, without waiting: a host that does not read its
  /// orders gets none, and the capture ends there.
  package static func send(_ order: Span<UInt8>, to socket: Int32) {
    var framed = SecretBytes(count: MessageFraming.headerSize + order.count)
    let header = MessageFraming.header(count: order.count)
    unsafe framed.withUnsafeMutableBytes { bytes in
      unsafe bytes.copyBytes(from: header)
      for index in 0..<order.count { unsafe bytes[header.count + index] = order[index] }
    }
    unsafe framed.bytes.withUnsafeBytes { bytes in
      _ = unsafe Glibc.send(
        socket, bytes.baseAddress, bytes.count,
        Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
  }

  private func end(_ status: Int32, _ message: String) -> SecretBytes {
    SensorEnd.encoded(channel: number, session: 0, status: status, saying: message)
  }
}
