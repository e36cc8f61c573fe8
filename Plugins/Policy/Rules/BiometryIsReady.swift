import Protocol

/// L2: where no finger can be matched, the request fails and says why.
struct BiometryIsReady: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.touchObstacle.map { .fail($0) }
  }
}
