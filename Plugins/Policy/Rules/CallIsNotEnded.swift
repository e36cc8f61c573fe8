import Protocol

/// What ends a call of any kind (L10). It comes before every success: a person who pressed Cancel
/// has said no.
struct CallIsNotEnded: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    switch question.progress.lastEvent {
    case .cancelled: .fail(Failure(.userCancel, "the request was cancelled"))
    case .interrupted:
      .fail(Failure(.appCancel, "the application withdrew its request"))
    case .timedOut:
      .fail(
        Failure(
          .timedOut, "nobody answered in time",
          hint: "try again; --timeout SECONDS waits longer"))
    case .none, .matched, .missed, .passcodeAccepted, .passcodeRefused, .fallbackChosen,
      .sensorLost, .noPasscode, .appPasswordGiven:
      nil
    }
  }
}
