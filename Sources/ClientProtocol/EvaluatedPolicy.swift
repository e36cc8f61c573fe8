package import Wire

/// Which policy is evaluated (`LAPolicy`; the raw values are Apple's).
package enum EvaluatedPolicy: UInt8, Sendable {
  /// A finger, without a fallback of the system's.
  case biometrics = 1
  /// A finger or the passcode.
  case owner = 2

  package func encode(into encoder: inout WireEncoder) { encoder.writeByte(rawValue) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let value = EvaluatedPolicy(rawValue: try decoder.readByte()) else {
      throw .invalidValue(field: "policy")
    }
    self = value
  }
}

/// What proved the owner's presence.
package enum ProvedBy: UInt8, Sendable {
  case biometry = 1
  case passcode = 2
  /// Nothing had to be proved: the device was unlocked already.
  case nothing = 3

  package func encode(into encoder: inout WireEncoder) { encoder.writeByte(rawValue) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let value = ProvedBy(rawValue: try decoder.readByte()) else {
      throw .invalidValue(field: "proof")
    }
    self = value
  }
}
