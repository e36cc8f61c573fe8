extension AgentPrompt {
  /// The prompt as a client's own is.
  package var content: Prompt {
    Prompt(
      prompt: prompt, awaitsTouch: awaitsTouch, fallback: fallback, fallbackTitle: fallbackTitle,
      cancelTitle: cancelTitle, reason: reason, refusedPasscodes: refusedPasscodes, secret: secret)
  }

  package init(application: String, claimedName: String?, _ prompt: Prompt) {
    self.init(
      application: application, claimedName: claimedName, prompt: prompt.prompt,
      awaitsTouch: prompt.awaitsTouch, fallback: prompt.fallback,
      fallbackTitle: prompt.fallbackTitle, cancelTitle: prompt.cancelTitle, reason: prompt.reason,
      refusedPasscodes: prompt.refusedPasscodes, secret: prompt.secret)
  }
}
