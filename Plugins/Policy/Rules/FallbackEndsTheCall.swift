import Protocol

/// L4: where the policy has no fallback of its own, choosing one hands the matter back to the
/// application.
struct FallbackEndsTheCall: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .fallbackChosen ? .fail(Self.failure) : nil
  }

  /// What a fallback means that is not the passcode.
  static var failure: Failure {
    Failure(
      .userFallback, "another way than this one was chosen",
      hint: "the passcode is no way to answer this request; the application may have its own")
  }
}
