extension PromptOptions {
  /// How long anybody waits for a touch or an answer at most, in milliseconds: a day.
  package static let longestTimeoutMilliseconds: UInt32 = 86_400_000

  /// For requests that must not prompt: one that would have to fails.
  package static let none = PromptOptions(
    reason: "", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 0, mayPrompt: false,
    touch: .none, canGivePasscode: false, prefersPasscode: false, mayUseAgent: false)
}
