import Protocol

extension Call {
  /// Enrolls a finger after the passcode.
  func enrollFinger(_ request: EnrollFinger) throws(Failure) -> EnrolledFinger {
    let moment = moment(.passcodeOnly, request.options)
    if case .fail(let failure) = try policyStep(for: PolicyMoment(request: .passcodeOnly)) {
      throw failure
    }
    // What cannot work is said before the passcode is asked for.
    try checkAttendance(request.options.touch)
    _ = try sensor(request.options.touch)
    guard try enclaveStatus().isFirstUnlocked else {
      throw Failure(
        .errSecInteractionNotAllowed, "no finger can be enrolled before the first unlock",
        hint: "unlock the device: authcore unlock")
    }
    return try withContext { (context) throws(Failure) in
      _ = try evaluate(
        moment, about: PromptSubject(.fingers), context: context, options: request.options)
      return try enroll(request, context: context)
    }
  }

  /// Compares one touch; the evidence is dropped with its context.
  func testFinger(_ request: TestFinger) throws(Failure) -> FingerTested {
    try withContext { (context) throws(Failure) in
      var moment = moment(.biometrics, request.options)
      moment.client.hidesFallback = true
      let conclusion = try evaluate(
        moment, about: PromptSubject(.trial), context: context, options: request.options,
        goal: .oneComparison)
      return FingerTested(
        isMatch: conclusion.isMatch, finger: conclusion.finger, score: conclusion.score,
        threshold: conclusion.threshold)
    }
  }
}
