package import Wire

/// Enclave → core, through `events/1`: what came of one touch. Exactly one for each frame, retry or end that arrives for a
/// session that is open; none for others.
package struct TouchEvent: WireMessage, Equatable {
  package static var number: UInt8 { 64 }

  /// What came of it.
  package enum Outcome: Equatable, Sendable {
    /// The print matches this finger; the evidence is in the context.
    case matched(finger: String, score: Double, threshold: Double)
    /// Compared, and not the owner. Counted before this was said.
    case missed(score: Double, threshold: Double, misses: UInt32, isLockedOut: Bool)
    /// Not compared: the sensor's `AC_RETRY_…` reason, or 1 for a frame without ridges.
    case retry(reason: Int32)
    /// Enrolment: the touch is used.
    case taken(TakenTouch)
    /// Enrolment: the touch is not used, or waits until a later one joins it to the finger.
    case refused(EnrolmentAdvice)
    /// Enrolment: this finger is enrolled already, under this name. The session is over.
    case duplicate(finger: String)
    /// The capture is over: an `AC_ERR_…` status and what the driver says.
    case ended(status: Int32, message: String)
    /// The enclave refuses to go on (lockout reached elsewhere, state cannot be written). The session is over.
    case failed(Failure)
  }

  package let session: UInt64
  package let outcome: Outcome

  package init(session: UInt64, outcome: Outcome) {
    self.session = session
    self.outcome = outcome
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt64(session)
    switch outcome {
    case .matched(let finger, let score, let threshold):
      encoder.writeByte(1)
      encoder.writeText(finger)
      encoder.writeDouble(score)
      encoder.writeDouble(threshold)
    case .missed(let score, let threshold, let misses, let isLockedOut):
      encoder.writeByte(2)
      encoder.writeDouble(score)
      encoder.writeDouble(threshold)
      encoder.writeUInt32(misses)
      encoder.writeBoolean(isLockedOut)
    case .retry(let reason):
      encoder.writeByte(3)
      encoder.writeInt32(reason)
    case .taken(let touch):
      encoder.writeByte(4)
      touch.encode(into: &encoder)
    case .refused(let advice):
      encoder.writeByte(5)
      encoder.writeByte(advice.rawValue)
    case .duplicate(let finger):
      encoder.writeByte(6)
      encoder.writeText(finger)
    case .ended(let status, let message):
      encoder.writeByte(7)
      encoder.writeInt32(status)
      encoder.writeText(message)
    case .failed(let failure):
      encoder.writeByte(8)
      failure.encode(into: &encoder)
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.readUInt64()
    switch try decoder.readByte() {
    case 1:
      outcome = .matched(
        finger: try decoder.readText(), score: try decoder.readDouble(),
        threshold: try decoder.readDouble())
    case 2:
      outcome = .missed(
        score: try decoder.readDouble(), threshold: try decoder.readDouble(),
        misses: try decoder.readUInt32(), isLockedOut: try decoder.readBoolean())
    case 3: outcome = .retry(reason: try decoder.readInt32())
    case 4: outcome = .taken(try TakenTouch(from: &decoder))
    case 5:
      guard let advice = EnrolmentAdvice(rawValue: try decoder.readByte()) else {
        throw .invalidValue(field: "advice")
      }
      outcome = .refused(advice)
    case 6: outcome = .duplicate(finger: try decoder.readText())
    case 7: outcome = .ended(status: try decoder.readInt32(), message: try decoder.readText())
    case 8: outcome = .failed(try Failure(from: &decoder))
    default: throw .invalidValue(field: "touch outcome")
    }
  }
}

/// What an enrolment knows after a touch that it used.
package struct TakenTouch: Equatable, Sendable {
  /// Touches used so far.
  package let touches: UInt32
  /// How much of the finger is known, 0…1.
  package let coverage: Double
  /// Whether more touches would add little.
  package let isComplete: Bool
  /// What the person should do next; nil where any touch will do.
  package let advice: EnrolmentAdvice?
  /// Where the finger was seen.
  package let picture: CoveragePicture

  package init(
    touches: UInt32, coverage: Double, isComplete: Bool, advice: EnrolmentAdvice?,
    picture: CoveragePicture = .empty
  ) {
    self.touches = touches
    self.coverage = coverage
    self.isComplete = isComplete
    self.advice = advice
    self.picture = picture
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(touches)
    encoder.writeDouble(coverage)
    encoder.writeBoolean(isComplete)
    encoder.writeByte(advice?.rawValue ?? 0)
    picture.encode(into: &encoder)
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    touches = try decoder.readUInt32()
    coverage = try decoder.readDouble()
    isComplete = try decoder.readBoolean()
    let advice = try decoder.readByte()
    guard advice == 0 || EnrolmentAdvice(rawValue: advice) != nil else {
      throw .invalidValue(field: "advice")
    }
    self.advice = EnrolmentAdvice(rawValue: advice)
    picture = try CoveragePicture(from: &decoder)
  }
}

/// What the person can do about the next touch of an enrolment.
package enum EnrolmentAdvice: UInt8, CaseIterable, Sendable {
  case noRidges = 1
  case tooDry = 2
  case tooWet = 3
  case tooSmall = 4
  case poorQuality = 5
  case moveLeft = 6
  case moveRight = 7
  case moveUp = 8
  case moveDown = 9
  case differentPart = 10
  case notTheSameFinger = 11
  case lift = 12
  case joinsNothing = 13
}
