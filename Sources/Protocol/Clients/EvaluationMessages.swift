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

/// Evaluates a policy. Where a context is named that holds what suffices, nobody is asked, and what
/// is proved stays in it. Reply: ``Evaluated``. Failure: `invalidContext`.
package struct Evaluate: WireMessage, Equatable {
  package static var number: UInt8 { 12 }

  package let policy: EvaluatedPolicy
  /// An unlock by touch at most this many seconds ago will do: 0…300, and 0 where a context is
  /// named, which says that itself.
  package let reuseSeconds: UInt32
  /// A context of this connection's, or 0: one for this request alone.
  package let context: UInt64
  package let options: PromptOptions

  package init(
    policy: EvaluatedPolicy, reuseSeconds: UInt32 = 0, context: UInt64 = noContext,
    options: PromptOptions
  ) {
    self.policy = policy
    self.reuseSeconds = reuseSeconds
    self.context = context
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(policy, reuseSeconds, context, options)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (policy, reuseSeconds, context, options) = try decoder.read()
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
  /// How many seconds before the answer it was proved, where the context held it already; 0: in
  /// this request.
  package let age: UInt32

  package init(evidence: ProvedBy, finger: String?, seconds: Double, age: UInt32 = 0) {
    self.evidence = evidence
    self.finger = finger
    self.seconds = seconds
    self.age = age
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(evidence, finger, seconds, age)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (evidence, finger, seconds, age) = try decoder.read()
  }
}
