import Protocol

/// Three wrong application passwords end a call.
struct RefusedAppPasswordsEndTheCall: PolicyRule {
  private static let limit: UInt32 = 3

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.refusedAppPasswords >= Self.limit ? .fail(Self.failure) : nil
  }

  /// What a call ends with when its last application password was wrong.
  static var failure: Failure {
    Failure(
      .errSecAuthFailed, "the application password is wrong",
      hint: "try again with the one that the item was added with")
  }
}

/// An application password is asked for only where somebody or something can give one: nobody else
/// knows whether a client has one, so its answer to a prompt tells.
struct AppPasswordCanBeGiven: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.lastEvent == .noPasscode else { return nil }
    guard question.progress.refusedAppPasswords == 0 else {
      return .fail(RefusedAppPasswordsEndTheCall.failure)
    }
    return .fail(
      Failure(
        .notInteractive, "the item needs its application password, and there is nobody to ask",
        hint: "run the command at a terminal, or give it with --app-password-fd or "
          + "--app-password-file"))
  }
}

struct AskForAppPassword: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? { .awaitAppPassword }
}
