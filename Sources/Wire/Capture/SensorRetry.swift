/// The capture protocol, driver host → enclave host: the sensor asks the person to try again.
package struct SensorRetry: WireMessage {
  /// The number of a message that asks for another touch.
  package static var number: UInt8 { 241 }

  /// The socket it came through; see ``SensorFrame/channel``.
  package let channel: UInt32
  /// The capture the core asked for.
  package let session: UInt64
  /// Why: an `AC_RETRY_…` value, 1…99.
  package let reason: Int32

  /// Describes a retry.
  package init(channel: UInt32 = 0, session: UInt64, reason: Int32) {
    self.channel = channel
    self.session = session
    self.reason = reason
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(channel)
    encoder.writeUInt64(session)
    encoder.writeInt32(reason)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    channel = try decoder.readUInt32()
    session = try decoder.readUInt64()
    reason = try decoder.readInt32()
    guard 1...99 ~= reason else { throw .invalidValue(field: "retry reason") }
  }
}
