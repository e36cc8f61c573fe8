package import Wire

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
    policy.encode(into: &encoder)
    encoder.writeUInt32(reuseSeconds)
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    policy = try EvaluatedPolicy(from: &decoder)
    reuseSeconds = try decoder.readUInt32()
    options = try PromptOptions(from: &decoder)
  }
}

/// Whether ``Evaluate`` could prompt. Reply: ``Done``.
package struct CanEvaluate: WireMessage, Equatable {
  package static var number: UInt8 { 13 }

  package let policy: EvaluatedPolicy

  package init(policy: EvaluatedPolicy) {
    self.policy = policy
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    policy.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    policy = try EvaluatedPolicy(from: &decoder)
  }
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
    evidence.encode(into: &encoder)
    encoder.writeOptional(finger) { $0.writeText($1) }
    encoder.writeDouble(seconds)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    evidence = try ProvedBy(from: &decoder)
    finger = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readText(limit: 4096)
    }
    seconds = try decoder.readDouble()
  }
}
