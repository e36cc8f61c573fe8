import Protocol

/// Asks for a touch; the client may hide the button for anything else.
struct AskForTouch: PolicyRule {
  let fallback: PromptFallback

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    .awaitTouch(fallback: question.client.hidesFallback ? .hidden : fallback)
  }
}
