/// The capture protocol, driver host → enclave host: the sensor asks the person to try again.
package struct SensorRetry: CaptureMessage {
  /// The number of a message that asks for another touch.
  package static var number: UInt8 { 241 }

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
    encoder.write(channel, session, reason)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (channel, session, reason) = try decoder.read()
    guard 1...99 ~= reason else { throw .invalidValue(field: "retry reason") }
  }
}
