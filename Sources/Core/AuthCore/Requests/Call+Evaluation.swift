import Protocol

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
    try checkReuse(request.reuseSeconds)
    let isNamed = request.context != noContext
    guard !isNamed || request.reuseSeconds == 0 else {
      throw Failure(
        .usage, "how long an unlock by touch may be reused the named context says",
        hint: "give reuseSeconds when opening the context, and 0 here")
    }
    return try withContext(request.context, reuseSeconds: request.reuseSeconds) {
      (context) throws(Failure) in
      let held: ContextEvidence =
        if isNamed {
          try evidence(inNamed: context.number)
        } else if request.reuseSeconds > 0 {
          try ask(GetContextEvidence(context: context))
        } else {
          ContextEvidence(evidence: [], finger: nil)
        }
      var moment = moment(request.policy.request, request.options)
      moment.client.hasReason = request.options.reason.hasVisibleCharacters
      let conclusion = try evaluate(
        moment, about: PromptSubject(.presence), context: context, options: request.options,
        held: held.evidence)
      guard conclusion.wasHeld else {
        return Evaluated(
          evidence: conclusion.evidence, finger: conclusion.finger, seconds: seconds)
      }
      let isMatch = conclusion.evidence == .biometry
      return Evaluated(
        evidence: conclusion.evidence, finger: isMatch ? held.finger : nil, seconds: seconds,
        age: (isMatch ? held.matchAge : held.passcodeAge) ?? 0)
    }
  }
}
