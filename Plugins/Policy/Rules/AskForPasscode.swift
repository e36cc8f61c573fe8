import Protocol

/// Asks for the passcode.
struct AskForPasscode: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? { .awaitPasscode }
}
