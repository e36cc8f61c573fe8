// What applications ask of the enclave about fingers, the same on every way, see
// ItemMessages.swift.

/// Asks for ``FingerList``.
package struct ListFingers: EngineMessage, EmptyMessage, Equatable, WireField {
  package static var number: UInt8 { 22 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { FingerList.number }
  package init() {}
}

/// The enrolled fingers, oldest first.
package struct FingerList: WireMessage, Equatable {
  package static var number: UInt8 { 23 }
  package let fingers: [Finger]
  package init(fingers: [Finger]) { self.fingers = fingers }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(fingers) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { fingers = try decoder.read() }
}

/// Gives a finger another name, with the owner's presence proved; the domain state stays. Reply:
/// ``Done``, or ``EvidenceNeeded``, which the core answers by prompting. Failures: `fingerNotFound`,
/// `errSecParam`, `errSecInteractionNotAllowed` while the device is locked.
package struct RenameFinger: EngineMessage, Equatable {
  package static var number: UInt8 { 24 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  /// Identifier or name.
  package let finger: String
  package let name: String
  package init(finger: String, name: String) {
    self.finger = finger
    self.name = name
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(finger, name) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (finger, name) = try decoder.read()
  }
}

/// Removes a finger, behind the passcode. Reply: ``Done``, or ``EvidenceNeeded``, which the core
/// answers by prompting. Failures: `fingerNotFound`, `passcodeNotSet`.
package struct RemoveFinger: EngineMessage, Equatable {
  package static var number: UInt8 { 25 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  /// Identifier or name.
  package let finger: String
  package init(finger: String) { self.finger = finger }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(finger) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { finger = try decoder.read() }
}

/// A finger that was enrolled: the reply of `EnrollFinger` and of its last step at the enclave.
package struct EnrolledFinger: WireMessage, Equatable {
  package static var number: UInt8 { 21 }
  package let finger: Finger
  /// Usable touches it was made of.
  package let touches: UInt32
  /// How much of the finger is known, 0…1.
  package let coverage: Double
  package init(finger: Finger, touches: UInt32, coverage: Double) {
    self.finger = finger
    self.touches = touches
    self.coverage = coverage
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(finger, touches, coverage)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (finger, touches, coverage) = try decoder.read()
  }
}
