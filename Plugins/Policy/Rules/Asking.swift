import Protocol

/// Asks for a touch; the client may hide the button for anything else.
struct AskForTouch: PolicyRule {
  let fallback: PromptFallback

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    .awaitTouch(fallback: question.client.hidesFallback ? .hidden : fallback)
  }
}

/// Prefers a touch to the passcode where a finger can be matched and the person has not turned to
/// the passcode yet.
struct AskForTouchOverPasscode: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    switch question.progress.lastEvent {
    case .fallbackChosen, .passcodeRefused, .noPasscode, .sensorLost: return nil
    case .none, .matched, .missed, .passcodeAccepted, .cancelled, .timedOut, .interrupted,
      .appPasswordGiven:
      break
    }
    guard question.touchObstacle == nil else { return nil }
    return AskForTouch(fallback: .passcode).step(for: question)
  }
}

struct AskForPasscode: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? { .awaitPasscode }
}

/// The passcode is asked for only where somebody or something can give one.
struct PasscodeCanBeGiven: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    let hasNone = question.progress.lastEvent == .noPasscode || !question.client.canGivePasscode
    guard hasNone else { return nil }
    guard question.progress.refusedPasscodes == 0 else {
      return .fail(RefusedPasscodesEndTheCall.failure)
    }
    // Elsewhere a touch would do: why none is awaited says more than that the passcode is missing.
    if let obstacle = question.touchObstacle, obstacle.code == .notInteractive {
      return .fail(obstacle)
    }
    let need =
      question.progress.lastEvent == .sensorLost
      ? "the fingerprint reader was disconnected" : "only the passcode will do"
    return .fail(
      Failure(
        .notInteractive, "\(need), and there is nobody to ask for the passcode",
        hint: "run the command at a terminal, or give the passcode with --passcode-fd or "
          + "--passcode-file"))
  }
}

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
