import Protocol

/// The enclave has matched an enrolled finger.
struct MatchSucceeds: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .matched ? .succeed : nil
  }
}

/// The enclave has verified the passcode.
struct AcceptedPasscodeSucceeds: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .passcodeAccepted ? .succeed : nil
  }
}

/// Unlocking what is unlocked asks nobody.
struct UnlockedDeviceSucceeds: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.device.isLocked ? nil : .succeed
  }
}

/// A match unlocks a device only while biometric unlock is armed.
struct ArmedMatchUnlocks: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .matched && question.device.isBiometricUnlockArmed
      ? .succeed : nil
  }
}

/// While a match would not unlock the device, other rules decide.
struct UnlessArmed: PolicyRule {
  let rules: [any PolicyRule]

  init(_ rules: [any PolicyRule]) { self.rules = rules }

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.device.isBiometricUnlockArmed else { return nil }
    return rules.lazy.compactMap { $0.step(for: question) }.first
  }
}

/// A3: what the context has proved is enough for the item. The enclave checks it again when it
/// opens the item.
struct EvidenceSuffices: PolicyRule {
  let control: AccessControl
  let held: EvidenceSet

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    control.isSatisfied(by: held) ? .succeed : nil
  }
}
