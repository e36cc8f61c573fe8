import Protocol

/// The enclave has verified the passcode.
struct AcceptedPasscodeSucceeds: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .passcodeAccepted ? .succeed : nil
  }
}
