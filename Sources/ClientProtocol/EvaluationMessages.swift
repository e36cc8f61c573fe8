package import Wire

/// Which policy is evaluated (`LAPolicy`; the raw values are Apple's).
package enum EvaluatedPolicy: UInt8, WireField {
  /// A finger, without a fallback of the system's.
  case biometrics = 1
  /// A finger or the passcode.
  case owner = 2
}

/// What proved the owner's presence.
package enum ProvedBy: UInt8, WireField {
  case biometry = 1
  case passcode = 2
  /// Nothing had to be proved: the device was unlocked already.
  case nothing = 3
}

/// Evaluates a policy. Reply: ``Evaluated``.
package struct Evaluate: WireMessage, Equatable {
  package static var number: UInt8 { 12 }

  package let policy: EvaluatedPolicy
  /// 0…300.
  package let reuseSeconds: UInt32
  package let options: PromptOptions

  package init(policy: EvaluatedPolicy, reuseSeconds: UInt32, options: PromptOptions) {
    self.policy = policy
    self.reuseSeconds = reuseSeconds
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(policy, reuseSeconds, options)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (policy, reuseSeconds, options) = try decoder.read()
  }
}

/// Whether ``Evaluate`` could prompt. Reply: ``Done``.
package struct CanEvaluate: WireMessage, Equatable {
  package static var number: UInt8 { 13 }

  package let policy: EvaluatedPolicy

  package init(policy: EvaluatedPolicy) {
    self.policy = policy
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(policy) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { policy = try decoder.read() }
}

/// The owner was authenticated.
package struct Evaluated: WireMessage, Equatable {
  package static var number: UInt8 { 14 }

  package let evidence: ProvedBy
  package let finger: String?
  /// From the request to the answer.
  package let seconds: Double

  package init(evidence: ProvedBy, finger: String?, seconds: Double) {
    self.evidence = evidence
    self.finger = finger
    self.seconds = seconds
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(evidence, finger, seconds)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (evidence, finger, seconds) = try decoder.read()
  }
}
