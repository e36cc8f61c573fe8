import ClientProtocol
import EngineKit
import Wire

extension EvaluatedPolicy {
  /// What the policy engine is asked.
  fileprivate var request: PolicyRequest {
    switch self {
    case .biometrics: .biometrics
    case .owner: .owner
    }
  }
}

extension Call {
  /// Whether ``evaluate(_:)`` could prompt: the first step is no failure.
  func canEvaluate(_ request: CanEvaluate) throws(Failure) -> Done {
    if case .fail(let failure) = try policyStep(for: request.policy.request) { throw failure }
    return Done()
  }

  /// Authenticates the owner; releases nothing.
  func evaluate(_ request: Evaluate) throws(Failure) -> Evaluated {
    guard request.reuseSeconds <= 300 else {
      throw Failure(
        .usage, "a touch can be reused for 300 seconds at most, not \(request.reuseSeconds)")
    }
    return try withContext(reuseSeconds: request.reuseSeconds) { (context) throws(Failure) in
      let held: ContextEvidence =
        request.reuseSeconds == 0
        ? ContextEvidence(evidence: [], finger: nil)
        : try enclave.ask(GetContextEvidence(context: context))
      var evaluation = evaluation(
        request.policy.request, context: context, options: request.options)
      evaluation.client.hasReason = !request.options.reason.isEmpty
      let conclusion = try evaluation.run(held: held.evidence)
      return Evaluated(
        evidence: conclusion.evidence, finger: conclusion.finger ?? held.finger, seconds: seconds)
    }
  }

  /// Locks the device.
  func lock() throws(Failure) -> Done {
    try enclave.ask(EngineKit.LockDevice())
  }

  /// Unlocks it with the passcode, or with a match while biometric unlock is armed.
  func unlock(_ request: UnlockDevice) throws(Failure) -> Evaluated {
    try withContext { (context) throws(Failure) in
      var evaluation = evaluation(
        .unlock(prefersPasscode: request.options.prefersPasscode), context: context,
        options: request.options, unlocksDevice: true)
      let conclusion = try evaluation.run()
      if conclusion.evidence == .biometry {
        try enclave.tell(UnlockWithMatch(context: context))
      }
      if conclusion.evidence == .nothing, try enclaveStatus().isLocked {
        throw Failure(
          .engineFailed, "the policy engine says that the device is unlocked, and it is locked",
          hint: "see authcore status for the engine that is in use")
      }
      return Evaluated(
        evidence: conclusion.evidence, finger: conclusion.finger, seconds: seconds)
    }
  }
}
