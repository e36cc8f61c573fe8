import Protocol

/// One condition of a policy and what follows from it.
protocol PolicyRule: Sendable {
  /// The step, where this rule has one to say; nil leaves it to the rules that follow.
  func step(for question: PolicyQuestion) -> PolicyStep.Action?
}
