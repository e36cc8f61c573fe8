import Protocol

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
