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
    /// Enrollment: the touch is used.
    case taken(TakenTouch)
    /// Enrollment: the touch is not used, and why.
    case refused(EnrollmentAdvice)
    /// The sensor is gone or failed; what the driver says. The request goes on with the passcode
    /// where it can.
    case sensorLost(message: String)
  }

  package let event: Event

  package init(_ event: Event) { self.event = event }

  package borrowing func encode(into encoder: inout WireEncoder) {
    switch event {
    case .awaitingTouch: encoder.writeByte(1)
    case .retry(let reason): encoder.write(UInt8(2), reason)
    case .missed(let left): encoder.write(UInt8(3), left)
    case .matched(let finger): encoder.write(UInt8(4), finger)
    case .taken(let touch): encoder.write(UInt8(5), touch)
    case .refused(let advice): encoder.write(UInt8(6), advice)
    case .sensorLost(let message): encoder.write(UInt8(7), message)
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: event = .awaitingTouch
    case 2: event = .retry(reason: try decoder.read())
    case 3: event = .missed(left: try decoder.read())
    case 4: event = .matched(finger: try decoder.read())
    case 5: event = .taken(try decoder.read())
    case 6: event = .refused(try decoder.read())
    case 7: event = .sensorLost(message: try decoder.read())
    default: throw .invalidValue(field: "progress")
    }
  }
}
