import Protocol

/// So many misses end a call.
struct MissesEndTheCall: PolicyRule {
  /// The code where the third miss has also locked biometrics out.
  let whenLockedOut: FailureCode

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.misses >= CallProgress.mostMisses else { return nil }
    if question.device.isLockedOut {
      return .fail(
        Failure(
          whenLockedOut, "the finger was not recognized, and fingerprints are locked out now",
          hint: "give the passcode once, for example with authcore auth"))
    }
    return .fail(
      Failure(
        .authenticationFailed, "the finger was not recognized",
        hint: "try again with a clean, dry finger, or another enrolled one"))
  }
}
