/// The capture protocol, driver host → enclave host: this capture is over without a touch.
package struct SensorEnd: CaptureMessage {
  /// The number of a message that ends a capture.
  package static var number: UInt8 { 242 }

  package let channel: UInt32
  /// The capture the core asked for.
  package let session: UInt64
  /// Why: an `AC_ERR_…` value, 100 or more (`AC_ERR_TIMEOUT`, `AC_ERR_INTERRUPTED`, `AC_ERR_GONE`,
  /// …).
  package let status: Int32
  /// What the driver says about it; may be empty.
  package let message: String

  /// Describes an end.
  package init(channel: UInt32 = 0, session: UInt64, status: Int32, message: String) {
    self.channel = channel
    self.session = session
    self.status = status
    self.message = message
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(channel, session, status, String(message.prefix(1000)))
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (channel, session, status, message) = try decoder.read()
    guard status >= 100 else { throw .invalidValue(field: "end status") }
  }
}
