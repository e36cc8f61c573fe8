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
    let moment = PolicyMoment(request: request.policy.request)
    if case .fail(let failure) = try policyStep(for: moment) { throw failure }
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
        : try ask(GetContextEvidence(context: context))
      var moment = moment(request.policy.request, request.options)
      moment.client.hasReason = !request.options.reason.isEmpty
      let conclusion = try evaluate(
        moment, context: context, options: request.options, held: held.evidence)
      return Evaluated(
        evidence: conclusion.evidence, finger: conclusion.finger ?? held.finger, seconds: seconds)
    }
  }

  /// Unlocks it with the passcode, or with a match while biometric unlock is armed.
  func unlock(_ request: UnlockDevice) throws(Failure) -> Evaluated {
    try withContext { (context) throws(Failure) in
      let options = request.options
      let conclusion = try evaluate(
        moment(.unlock(prefersPasscode: options.prefersPasscode), options), context: context,
        options: options, unlocksDevice: true)
      if conclusion.evidence == .biometry {
        try tell(UnlockWithMatch(context: context))
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
