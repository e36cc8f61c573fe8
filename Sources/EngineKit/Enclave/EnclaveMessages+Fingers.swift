package import Wire

/// Says what is behind a frame socket that the host was given. Reply: ``Done``.
package struct OpenChannel: WireMessage {
  package static var number: UInt8 { 32 }
  package let channel: UInt32
  /// Frames of a synthetic channel match only fingers enrolled from one, and the other way round.
  package let isSynthetic: Bool
  package init(channel: UInt32, isSynthetic: Bool) {
    self.channel = channel
    self.isSynthetic = isSynthetic
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(channel)
    encoder.writeBoolean(isSynthetic)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    channel = try decoder.readUInt32()
    isSynthetic = try decoder.readBoolean()
  }
}

/// Forgets a channel and its sessions. Reply: ``Done``.
package struct CloseChannel: WireMessage {
  package static var number: UInt8 { 33 }
  package let channel: UInt32
  package init(channel: UInt32) { self.channel = channel }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt32(channel) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    channel = try decoder.readUInt32()
  }
}

/// From here frames of this session are compared with the enrolled fingers, for this context. Reply: ``Done``.
/// Failures: `biometryNotEnrolled`, `biometryLockout` (also before first unlock), `invalidContext`.
package struct BeginMatch: WireMessage {
  package static var number: UInt8 { 34 }
  package let session: UInt64
  package let channel: UInt32
  package let context: UInt64
  /// Whether a match at a relaxed rate is a miss here: the item that is to open refuses it.
  package let requiresStrictMatch: Bool
  package init(
    session: UInt64, channel: UInt32, context: UInt64, requiresStrictMatch: Bool = false
  ) {
    self.session = session
    self.channel = channel
    self.context = context
    self.requiresStrictMatch = requiresStrictMatch
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt64(session)
    encoder.writeUInt32(channel)
    encoder.writeUInt64(context)
    encoder.writeBoolean(requiresStrictMatch)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.readUInt64()
    channel = try decoder.readUInt32()
    context = try decoder.readUInt64()
    requiresStrictMatch = try decoder.readBoolean()
  }
}

/// From here frames of this session are touches of a finger to be enrolled. The context must hold passcode evidence.
/// Reply: ``Done``. Failures: `tooManyFingers`, `passcodeNotSet`, `authenticationFailed` (no evidence),
/// `errSecDuplicateItem` never: a duplicate *finger* is an event.
package struct BeginEnrolment: WireMessage {
  package static var number: UInt8 { 35 }
  package let session: UInt64
  package let channel: UInt32
  package let context: UInt64
  /// Empty: the enclave chooses one. A taken one is `errSecParam`.
  package let name: String
  /// The owner wants the finger matched at a relaxed rate, where the sensor is small enough.
  package let isRelaxed: Bool
  package init(
    session: UInt64, channel: UInt32, context: UInt64, name: String, isRelaxed: Bool = false
  ) {
    self.session = session
    self.channel = channel
    self.context = context
    self.name = name
    self.isRelaxed = isRelaxed
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt64(session)
    encoder.writeUInt32(channel)
    encoder.writeUInt64(context)
    encoder.writeText(name)
    encoder.writeBoolean(isRelaxed)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.readUInt64()
    channel = try decoder.readUInt32()
    context = try decoder.readUInt64()
    name = try decoder.readText(limit: 256)
    isRelaxed = try decoder.readBoolean()
  }
}

/// Makes the touches taken so far a finger. Reply: ``EnrolledFinger``. Failures: `enrolmentIncomplete` (fewer than three usable
/// touches), `duplicateFinger`, `tooManyFingers`.
package struct CommitEnrolment: WireMessage {
  package static var number: UInt8 { 36 }
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt64(session) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.readUInt64()
  }
}

/// Ends a match or drops an enrolment. Reply: ``Done``, also where there is none.
package struct EndSession: WireMessage {
  package static var number: UInt8 { 37 }
  package let session: UInt64
  package init(session: UInt64) { self.session = session }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt64(session) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    session = try decoder.readUInt64()
  }
}

/// The finger that ``CommitEnrolment`` made.
package struct EnrolledFinger: WireMessage, Equatable {
  package static var number: UInt8 { 38 }
  package let finger: Finger
  /// Usable touches it was made of.
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

/// Asks for ``FingerList``.
package struct ListFingers: WireMessage {
  package static var number: UInt8 { 39 }
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// The enrolled fingers, oldest first.
package struct FingerList: WireMessage, Equatable {
  package static var number: UInt8 { 40 }
  package let fingers: [Finger]
  package init(fingers: [Finger]) { self.fingers = fingers }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(fingers) { $1.encode(into: &$0) }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    fingers = try decoder.readArray(limit: 16, elementSize: 19) { (decoder) throws(DecodeError) in
      try Finger(from: &decoder)
    }
  }
}

/// Gives a finger another name. Does not change the domain state. Reply: ``Done``. Failure: `fingerNotFound`, `errSecParam`.
package struct RenameFinger: WireMessage {
  package static var number: UInt8 { 41 }
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
    finger = try decoder.readText(limit: 256)
    name = try decoder.readText(limit: 256)
  }
}

/// Removes a finger. The context must hold passcode evidence. Reply: ``Done``. Failure: `fingerNotFound`.
package struct RemoveFinger: WireMessage {
  package static var number: UInt8 { 42 }
  package let context: UInt64
  /// Identifier or name.
  package let finger: String
  package init(context: UInt64, finger: String) {
    self.context = context
    self.finger = finger
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt64(context)
    encoder.writeText(finger)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    context = try decoder.readUInt64()
    finger = try decoder.readText(limit: 256)
  }
}
