/// A message of the capture protocol, from a driver's host to the enclave's.
package protocol CaptureMessage: WireMessage {
  /// The socket it came through; 0 as the driver's host sends it. The first field, so that
  /// ``CaptureMessages/stamp(_:channel:)`` finds it.
  var channel: UInt32 { get }
}

/// The messages of the capture protocol.
package enum CaptureMessages {
  /// Their numbers.
  package static let numbers = [
    SensorFrame.number, SensorRetry.number, SensorEnd.number, ChipReport.number,
  ]

  /// Says in a message which socket it came through, where it lies: a frame is long. Nothing else
  /// of it is looked at.
  /// - Returns: nil when it is none of the capture protocol's.
  package static func stamp(
    _ message: consuming SecretBytes, channel: UInt32
  ) -> SecretBytes? {
    var encoder = WireEncoder()
    encoder.write(channel)
    let field = encoder.finishPlain()
    guard message.count > field.count, numbers.contains(message.bytes[0]) else { return nil }
    unsafe message.withUnsafeMutableBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[1...]).copyBytes(from: field)
    }
    return message
  }
}

extension SensorEnd {
  /// The message that ends a capture. What a driver says is cut to 1,000 characters.
  package static func encoded(
    channel: UInt32 = 0, session: UInt64, status: Int32, saying message: String
  ) -> SecretBytes {
    SensorEnd(
      channel: channel, session: session, status: status, message: String(message.prefix(1000))
    ).encoded()
  }
}
