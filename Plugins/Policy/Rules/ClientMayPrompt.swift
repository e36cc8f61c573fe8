import Protocol

/// A6: only a client in the foreground causes a prompt. Every rule after this one asks the person
/// for something.
struct ClientMayPrompt: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.client.mayPrompt else { return nil }
    return .fail(
      Failure(
        .notInteractive, "the owner would have to be asked, and this program may not ask",
        hint: "run it in the foreground, at a terminal or in the session on the screen"))
  }
}
