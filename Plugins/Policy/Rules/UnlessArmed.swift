import Protocol

/// While a match would not unlock the device, other rules decide.
struct UnlessArmed: PolicyRule {
  let rules: [any PolicyRule]

  init(_ rules: [any PolicyRule]) { self.rules = rules }

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.device.isBiometricUnlockArmed else { return nil }
    return rules.lazy.compactMap { $0.step(for: question) }.first
  }
}
