import LinuxSystem
import Protocol
import Synchronization

extension Call {
  /// Runs `body` with what of the options the foreground permits (A6), and whether an agent may await
  /// a touch. Where the person sits at a seat, it ends with `systemCancel` when that one leaves.
  ///
  /// What the client answers itself without a person, from a file for instance, is its own affair.
  func inForeground<Result>(
    _ options: PromptOptions, _ body: (PromptOptions, AwaitedTouch) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let foreground = core.foreground, options.asksPerson else {
      return try body(options, .person)
    }
    return try rated { () throws(Failure) in try inForeground(foreground, options, body) }
  }

  /// Refuses an application that was turned down too often a moment ago. Root's programs, which log
  /// people in, are not counted.
  private func rated<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard link.peer.user != 0 else { return try body() }
    let name = link.application
    let objection = core.promptRate.withLock { $0.objection(to: name, at: core.clock.now()) }
    if let objection { throw objection }
    do throws(Failure) {
      let result = try body()
      core.promptRate.withLock { $0.noteProof(for: name) }
      return result
    } catch  where error.code == .userCancel || error.code == .timedOut {
      core.promptRate.withLock { $0.noteRefusal(of: name, at: core.clock.now()) }
      throw error
    }
  }

  private func inForeground<Result>(
    _ foreground: Foreground, _ options: PromptOptions,
    _ body: (PromptOptions, AwaitedTouch) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let permission = foreground.permission(of: link)
    let watch =
      permission.touch || permission.agent
      ? foreground.watch(link, granted: permission, inbox) : nil
    defer { if let watch { foreground.end(watch) } }
    guard let objection = permission.objection else { return try body(options, .person) }
    do throws(Failure) {
      return try body(
        options.limited(to: permission), permission.agentTouch ? .person : .none)
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
