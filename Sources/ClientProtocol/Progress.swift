package import Wire

/// Core → client, under the id of the request: what the person should see while a touch is awaited.
package struct Progress: WireMessage, Equatable {
  package static var number: UInt8 { 11 }

  /// What happened.
  package enum Event: Equatable, Sendable {
    /// The sensor waits for a finger.
    case awaitingTouch
    /// The sensor asks to try again: an `AC_RETRY_…` reason.
    case retry(reason: Int32)
    /// Compared, and not the owner. `left` more misses end this request.
    case missed(left: UInt32)
    case matched(finger: String)
    /// Enrolment: the touch is used. `advice` is an `EnrolmentAdvice` value of the enclave, 0 for none.
    case taken(touches: UInt32, coverage: Double, advice: UInt8, picture: CoveragePicture)
    /// Enrolment: the touch is not used, and why.
    case refused(advice: UInt8)
    /// The sensor is gone or failed; what the driver says. The request goes on with the passcode where it can.
    case sensorLost(message: String)
  }

  package let event: Event

  package init(_ event: Event) { self.event = event }

  package borrowing func encode(into encoder: inout WireEncoder) {
    switch event {
    case .awaitingTouch: encoder.writeByte(1)
    case .retry(let reason):
      encoder.writeByte(2)
      encoder.writeInt32(reason)
    case .missed(let left):
      encoder.writeByte(3)
      encoder.writeUInt32(left)
    case .matched(let finger):
      encoder.writeByte(4)
      encoder.writeText(finger)
    case .taken(let touches, let coverage, let advice, let picture):
      encoder.writeByte(5)
      encoder.writeUInt32(touches)
      encoder.writeDouble(coverage)
      encoder.writeByte(advice)
      picture.encode(into: &encoder)
    case .refused(let advice):
      encoder.writeByte(6)
      encoder.writeByte(advice)
    case .sensorLost(let message):
      encoder.writeByte(7)
      encoder.writeText(message)
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: event = .awaitingTouch
    case 2: event = .retry(reason: try decoder.readInt32())
    case 3: event = .missed(left: try decoder.readUInt32())
    case 4: event = .matched(finger: try decoder.readText())
    case 5:
      event = .taken(
        touches: try decoder.readUInt32(), coverage: try decoder.readDouble(),
        advice: try decoder.readByte(), picture: try CoveragePicture(from: &decoder))
    case 6: event = .refused(advice: try decoder.readByte())
    case 7: event = .sensorLost(message: try decoder.readText())
    default: throw .invalidValue(field: "progress")
    }
  }
}
