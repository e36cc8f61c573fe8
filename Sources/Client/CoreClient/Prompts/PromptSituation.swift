import Protocol

/// How this process can prompt at this moment, and who does it.
struct PromptSituation {
  let agent: TerminalAgent
  private let situation: TerminalSituation
  private let applicationName: String

  /// Looks at the terminal of the process, where it may ask there.
  init(
    _ settings: ApplicationSettings, _ prompting: Prompting, _ cancellation: CancellationSignal?
  ) throws(Failure) {
    applicationName = prompting.applicationName ?? settings.applicationName
    let terminal = settings.asksOnTerminal ? Terminal.controlling() : nil
    situation = TerminalSituation(of: terminal)
    agent = try TerminalAgent(of: terminal, situation, cancelledBy: cancellation)
  }

  /// What a request says of it.
  func options(_ prompting: Prompting) -> PromptOptions {
    let milliseconds = prompting.timeout / .milliseconds(1)
    let touch = prompting.isAllowed ? situation.awaitedTouch() : .none
    return PromptOptions(
      reason: prompting.reason ?? "", fallbackTitle: prompting.fallbackTitle,
      cancelTitle: prompting.cancelTitle,
      timeoutMilliseconds: UInt32(
        max(1, min(milliseconds, Double(PromptOptions.longestTimeoutMilliseconds)))),
      mayPrompt: touch != .none, touch: touch,
      canGivePasscode: prompting.isAllowed && situation.takesKeys, prefersPasscode: false,
      mayUseAgent: prompting.isAllowed && situation.mayUseAgent,
      applicationName: applicationName)
  }
}
