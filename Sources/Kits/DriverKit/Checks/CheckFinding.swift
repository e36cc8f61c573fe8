package struct CheckFinding: Equatable, Sendable {
  /// How it ended.
  package enum Outcome: Equatable, Sendable {
    /// The driver keeps the rule; the note holds what was measured, where something was.
    case passed(note: String?)
    /// It breaks it: what happened, and what to do.
    case failed(reason: String, advice: String?)
    /// It could not be looked at.
    case notRun(reason: String)
  }

  package let check: DriverCheck
  package let outcome: Outcome

  /// A failure that was found before is not said again.
  static func notRun(_ check: DriverCheck, failsAs first: CheckFinding) -> CheckFinding {
    CheckFinding(
      check: check, outcome: .notRun(reason: "since \(first.check.rawValue) fails in the same way"))
  }

  /// Whether the driver breaks the rule.
  package var isFailure: Bool {
    if case .failed = outcome { true } else { false }
  }
}
