import Protocol

/// A match unlocks a device only while biometric unlock is armed.
struct ArmedMatchUnlocks: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .matched && question.device.isBiometricUnlockArmed
      ? .succeed : nil
  }
}
