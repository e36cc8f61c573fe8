import Protocol

/// Three wrong passcodes end a call, and so does one where no other can be given.
struct RefusedPasscodesEndTheCall: PolicyRule {
  private static let limit: UInt32 = 3

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.refusedPasscodes >= Self.limit else { return nil }
    return .fail(Self.failure)
  }

  /// What a call ends with when its last passcode was wrong.
  static var failure: Failure {
    Failure(.authenticationFailed, "the passcode is wrong", hint: "try again with the right one")
  }
}
