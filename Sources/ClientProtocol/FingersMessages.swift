package import Wire

/// Enrols a finger; the passcode is asked for first. Reply: ``FingerEnrolled``.
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
    encoder.writeText(name)
    encoder.writeUInt32(touches)
    encoder.writeBoolean(isRelaxed)
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    name = try decoder.readText(limit: 4096)
    touches = try decoder.readUInt32()
    isRelaxed = try decoder.readBoolean()
    options = try PromptOptions(from: &decoder)
  }
}

/// The new finger.
package struct FingerEnrolled: WireMessage, Equatable {
  package static var number: UInt8 { 21 }

  package let finger: Finger
  package let touches: UInt32
  /// 0…1.
  package let coverage: Double

  package init(finger: Finger, touches: UInt32, coverage: Double) {
    self.finger = finger
    self.touches = touches
    self.coverage = coverage
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    finger.encode(into: &encoder)
    encoder.writeUInt32(touches)
    encoder.writeDouble(coverage)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    finger = try Finger(from: &decoder)
    touches = try decoder.readUInt32()
    coverage = try decoder.readDouble()
  }
}

/// Asks for ``Fingers``.
package struct ListFingers: WireMessage, Equatable {
  package static var number: UInt8 { 22 }

  package init() {
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
  }
}

/// The enrolled fingers, oldest first.
package struct Fingers: WireMessage, Equatable {
  package static var number: UInt8 { 23 }

  package let fingers: [Finger]

  package init(fingers: [Finger]) {
    self.fingers = fingers
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(fingers) { $1.encode(into: &$0) }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    fingers = try decoder.readArray(limit: 16, elementSize: 19) {
      (decoder) throws(DecodeError) in try Finger(from: &decoder)
    }
  }
}

/// Gives a finger another name. Reply: ``Done``.
package struct RenameFinger: WireMessage, Equatable {
  package static var number: UInt8 { 24 }

  /// Identifier or name.
  package let finger: String
  package let name: String

  package init(finger: String, name: String) {
    self.finger = finger
    self.name = name
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(finger)
    encoder.writeText(name)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    finger = try decoder.readText(limit: 4096)
    name = try decoder.readText(limit: 4096)
  }
}

/// Removes a finger; the passcode is asked for. Reply: ``Done``.
package struct RemoveFinger: WireMessage, Equatable {
  package static var number: UInt8 { 25 }

  /// Identifier or name.
  package let finger: String
  package let options: PromptOptions

  package init(finger: String, options: PromptOptions) {
    self.finger = finger
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(finger)
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    finger = try decoder.readText(limit: 4096)
    options = try PromptOptions(from: &decoder)
  }
}

/// Takes one touch and compares it; counts as an attempt, releases nothing. Reply: ``FingerTested``.
package struct TestFinger: WireMessage, Equatable {
  package static var number: UInt8 { 26 }

  package let options: PromptOptions

  package init(options: PromptOptions) {
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    options = try PromptOptions(from: &decoder)
  }
}

/// What came of the touch.
package struct FingerTested: WireMessage, Equatable {
  package static var number: UInt8 { 27 }

  package let isMatch: Bool
  package let finger: String?
  package let score: Double
  package let threshold: Double

  package init(isMatch: Bool, finger: String?, score: Double, threshold: Double) {
    self.isMatch = isMatch
    self.finger = finger
    self.score = score
    self.threshold = threshold
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeBoolean(isMatch)
    encoder.writeOptional(finger) { $0.writeText($1) }
    encoder.writeDouble(score)
    encoder.writeDouble(threshold)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    isMatch = try decoder.readBoolean()
    finger = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readText(limit: 4096)
    }
    score = try decoder.readDouble()
    threshold = try decoder.readDouble()
  }
}
