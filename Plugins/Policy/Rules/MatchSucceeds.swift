import Protocol

/// The enclave has matched an enrolled finger.
struct MatchSucceeds: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .matched ? .succeed : nil
  }
}
