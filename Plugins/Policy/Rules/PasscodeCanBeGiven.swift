import Protocol

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
