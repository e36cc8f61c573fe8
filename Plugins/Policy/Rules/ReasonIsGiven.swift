import Protocol

/// L6: nobody is asked for a proof without being told what for.
struct ReasonIsGiven: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.client.hasReason else { return nil }
    return .fail(
      .invalidReason(
        hint: "say what the owner is asked for, for example --reason \"Add a chore\""))
  }
}
