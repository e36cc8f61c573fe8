import ClientProtocol
import Wire

extension Call {
  /// Runs `body` with what of the options the foreground permits (A6). Where the person sits at a
  /// seat, it ends with `systemCancel` when that one leaves.
  ///
  /// What the client answers itself without a person, from a file for instance, is its own affair.
  func inForeground<Result>(
    _ options: PromptOptions, _ body: (PromptOptions) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let foreground = core.foreground, options.asksPerson else { return try body(options) }
    let permission = foreground.permission(of: link.peer)
    let watch =
      permission.touch || permission.agent
      ? foreground.watch(link.peer, granted: permission, inbox) : nil
    defer { if let watch { foreground.end(watch) } }
    guard let objection = permission.objection else { return try body(options) }
    do throws(Failure) {
      return try body(options.limited(to: permission))
    } catch  where error.code == .notInteractive {
      // Why a person may not be asked says more than that nobody is.
      throw objection
    }
  }
}

extension PromptOptions {
  /// Whether a person may be asked, on the client's side or by an agent.
  fileprivate var asksPerson: Bool { touch == .person || mayUseAgent }

  /// What is permitted of them.
  fileprivate func limited(to permission: ForegroundPermission) -> PromptOptions {
    // A client that shows its prompts to nobody answers from what it was given.
    let mayAsk = permission.ownPrompt || touch != .person
    let limitedTouch: AwaitedTouch =
      permission.touch || touch != .person ? touch : mayAsk ? .played : .none
    return PromptOptions(
      reason: reason, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle,
      timeoutMilliseconds: timeoutMilliseconds, mayPrompt: mayPrompt && mayAsk,
      touch: limitedTouch, canGivePasscode: canGivePasscode && mayAsk,
      prefersPasscode: prefersPasscode, mayUseAgent: mayUseAgent && permission.agent,
      applicationName: applicationName)
  }
}
