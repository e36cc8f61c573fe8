import Protocol

/// One thing that `doctor` looked at.
struct Finding: Equatable {
  /// How it is.
  enum State: String {
    case good
    /// It works, but something is missing.
    case remark
    /// It does not work.
    case problem
  }

  /// What was looked at.
  let subject: String
  let state: State
  let text: String
  /// The command that mends it, or what to do.
  let remedy: String?

  static func good(_ subject: String, _ text: String) -> Finding {
    Finding(subject: subject, state: .good, text: text, remedy: nil)
  }

  static func remark(_ subject: String, _ text: String, remedy: String?) -> Finding {
    Finding(subject: subject, state: .remark, text: text, remedy: remedy)
  }

  static func problem(_ subject: String, _ text: String, remedy: String?) -> Finding {
    Finding(subject: subject, state: .problem, text: text, remedy: remedy)
  }

  static func problem(_ subject: String, _ failure: Failure) -> Finding {
    .problem(subject, failure.message, remedy: failure.hint)
  }
}

extension Finding {
  /// What the service says of itself.
  init(_ trouble: ServiceTrouble) {
    self.init(
      subject: trouble.subject, state: trouble.isProblem ? .problem : .remark, text: trouble.text,
      remedy: trouble.remedy)
  }
}
