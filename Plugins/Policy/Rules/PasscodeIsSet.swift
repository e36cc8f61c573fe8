import Protocol

/// A4: a device without a passcode gives no access, and there is nothing to fall back to.
struct PasscodeIsSet: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.device.isPasscodeSet else { return nil }
    return .fail(
      Failure(
        .passcodeNotSet, "no passcode is set on this device",
        hint: "set one: authcore passcode set"))
  }
}
