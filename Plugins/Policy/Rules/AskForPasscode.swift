import Protocol

struct AskForPasscode: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? { .awaitPasscode }
}
