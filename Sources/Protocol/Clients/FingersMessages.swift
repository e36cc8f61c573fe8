/// Enrolls a finger; the passcode is asked for first. Reply: ``EnrolledFinger``.
package struct EnrollFinger: WireMessage, Equatable {
  package static var number: UInt8 { 20 }

  /// Empty: the enclave chooses.
  package let name: String
  /// Usable touches to take; 0: until coverage is reached.
  package let touches: UInt32
  /// Whether the finger may be matched at a relaxed rate, where the sensor is small enough.
  package let isRelaxed: Bool
  package let options: PromptOptions

  package init(
    name: String, touches: UInt32, isRelaxed: Bool = false, options: PromptOptions
  ) {
    self.name = name
    self.touches = touches
    self.isRelaxed = isRelaxed
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(name, touches, isRelaxed, options)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (name, touches, isRelaxed, options) = try decoder.read()
  }
}

/// Takes one touch and compares it; counts as an attempt, releases nothing. Reply:
/// ``FingerTested``.
package struct TestFinger: WireMessage, Equatable {
  package static var number: UInt8 { 26 }

  package let options: PromptOptions

  package init(options: PromptOptions) {
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { options = try decoder.read() }
}

/// What came of the touch.
package struct FingerTested: WireMessage, Equatable {
  package static var number: UInt8 { 27 }

  package let isMatch: Bool
  package let finger: String?
  /// Only while the device is unlocked.
  package let score: Double?
  package let threshold: Double

  package init(isMatch: Bool, finger: String?, score: Double?, threshold: Double) {
    self.isMatch = isMatch
    self.finger = finger
    self.score = score
    self.threshold = threshold
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(isMatch, finger, score, threshold)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (isMatch, finger, score, threshold) = try decoder.read()
  }
}
