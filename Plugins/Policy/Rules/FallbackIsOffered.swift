import Protocol

/// The fallback leads to the passcode only from a touch that offers it.
struct FallbackIsOffered: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.lastEvent == .fallbackChosen else { return nil }
    let isOffered = question.touchObstacle == nil && !question.client.hidesFallback
    return isOffered ? nil : .fail(FallbackEndsTheCall.failure)
  }
}
