import Protocol

/// Unlocking what is unlocked asks nobody.
struct UnlockedDeviceSucceeds: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.device.isLocked ? nil : .succeed
  }
}
