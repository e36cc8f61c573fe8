/// Enclave → core, through `events/1`: what came of one touch. Exactly one for each ``AwaitTouch``;
/// none for what a driver sends unasked.
package struct TouchEvent: WireMessage, Equatable {
  package static var number: UInt8 { 64 }

  /// Misses in a row after which no touch is compared until the passcode is given.
  package static var mostMissesInARow: UInt32 { 5 }

  /// What came of it.
  package enum Outcome: Equatable, Sendable {
    /// The print matches this finger; the evidence is in the context.
    /// The score is told to who tests a finger of an unlocked device.
    case matched(finger: String, score: Double?, threshold: Double)
    /// Compared, and not the owner. Counted before this was said.
    case missed(score: Double?, threshold: Double, misses: UInt32, isLockedOut: Bool)
    /// Not compared: the sensor's `AC_RETRY_…` reason, or 1 for a frame without ridges.
    case retry(reason: Int32)
    /// Enrollment: the touch is used.
    case taken(TakenTouch)
    /// Enrollment: the touch is not used, or waits until a later one joins it to the finger.
    case refused(EnrollmentAdvice)
    /// Enrollment: this finger is enrolled already, under this name. The session is over.
    case duplicate(finger: String)
    /// The capture is over: an `AC_ERR_…` status and what the driver says.
    case ended(status: Int32, message: String)
    /// The enclave refuses to go on (lockout reached elsewhere, state cannot be written). The
    /// session is over.
    case failed(Failure)
  }

  package let session: UInt64
  /// What the enclave says of the device behind a touch that was compared: the core asks the policy
  /// with it what is next.
  package let status: EnclaveStatus?
  package let outcome: Outcome

  package init(session: UInt64, outcome: Outcome, status: EnclaveStatus? = nil) {
    self.session = session
    self.status = status
    self.outcome = outcome
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(session)
    encoder.writeOptional(status) { encoder, status in status.encode(into: &encoder) }
    switch outcome {
    case .matched(let finger, let score, let threshold):
      encoder.write(UInt8(1), finger, score, threshold)
    case .missed(let score, let threshold, let misses, let isLockedOut):
      encoder.write(UInt8(2), score, threshold, misses, isLockedOut)
    case .retry(let reason): encoder.write(UInt8(3), reason)
    case .taken(let touch): encoder.write(UInt8(4), touch)
    case .refused(let advice): encoder.write(UInt8(5), advice)
    case .duplicate(let finger): encoder.write(UInt8(6), finger)
    case .ended(let status, let message): encoder.write(UInt8(7), status, message)
    case .failed(let failure):
      encoder.writeByte(8)
      failure.encode(into: &encoder)
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.read()
    status = try decoder.readOptional { (decoder) throws(DecodeError) in
      try EnclaveStatus(from: &decoder)
    }
    switch try decoder.readByte() {
    case 1:
      outcome = .matched(
        finger: try decoder.read(), score: try decoder.read(), threshold: try decoder.read())
    case 2:
      outcome = .missed(
        score: try decoder.read(), threshold: try decoder.read(), misses: try decoder.read(),
        isLockedOut: try decoder.read())
    case 3: outcome = .retry(reason: try decoder.read())
    case 4: outcome = .taken(try decoder.read())
    case 5: outcome = .refused(try decoder.read())
    case 6: outcome = .duplicate(finger: try decoder.read())
    case 7: outcome = .ended(status: try decoder.read(), message: try decoder.read())
    case 8: outcome = .failed(try Failure(from: &decoder))
    default: throw .invalidValue(field: "touch outcome")
    }
  }
}
