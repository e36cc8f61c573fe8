import Glibc
import LinuxSystem
import Protocol
import Synchronization

extension Call {
  private static let mostAgents = 3

  /// Has the person asked by an agent, or by the client if it was typed or there is no agent. If the
  /// agent is lost, another one is tried; if none is left, the client is.
  /// - Throws: `invalidReason` for a reason without visible characters. A request that names what
  ///   it wants needs none.
  func asking<Result>(
    _ options: PromptOptions, _ subject: PromptSubject,
    _ body: (any Prompter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard options.reason.isEmpty || options.reason.hasVisibleCharacters else {
      throw .invalidReason(hint: "say what the owner permits, or leave the reason out")
    }
    return try writingDown(subject) { () throws(Failure) in
      try heedingRefusals(options, subject) { () throws(Failure) in
        try inForeground(options) { (options, agentTouch) throws(Failure) in
          try askingWhoever(options, subject, agentTouch, body)
        }
      }
    }
  }

  /// Writes down what came of a door's prompt. A proof does not count if the program that the door
  /// acts for has changed meanwhile.
  private func writingDown<Result>(
    _ subject: PromptSubject, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard link.door != nil else { return try body() }
    do throws(Failure) {
      let result = try body()
      if let objection = core.objection(toDoor: link) { throw objection }
      note(.prompt, subject: subject.item)
      return result
    } catch {
      note(.prompt, outcome: error.code.rawValue, subject: subject.item)
      throw error
    }
  }

  /// The agent to ask: the newest, or if logind is asked the one that the client's person sees.
  private var agentInSight: ServingAgent? {
    let agents = core.agents.newestFirst
    guard let foreground = core.foreground else { return agents.first }
    return foreground.choose(among: agents, for: link.asker)
  }

  private func askingWhoever<Result>(
    _ options: PromptOptions, _ subject: PromptSubject, _ agentTouch: AwaitedTouch,
    _ body: (any Prompter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var attempts = 0
    let needsAgent = options.needsAgent(isTyped: link.isOwnersCommand(options))
    if needsAgent, core.agents.count == 0, AgentPresence.isKnown(in: core.home) {
      try attend()
      try core.agents.awaitFirst(for: inbox, milliseconds: core.limits.agentArrivalMilliseconds)
    }
    while needsAgent, attempts < Self.mostAgents, let agent = agentInSight {
      attempts += 1
      let prompter = AgentPrompter(self, options, subject, agent, agentTouch)
      inbox.forgetLostPrompter()
      do throws(Failure) {
        let result = try body(prompter)
        prompter.end(nil)
        return result
      } catch {
        prompter.end(error)
        guard error == PromptAgents.lost else { throw error }
        prompter.drop()
      }
    }
    inbox.forgetLostPrompter()
    return try body(ClientPrompter(self, options, subject))
  }

  // MARK: What was turned down

  /// Asks nobody for what the owner has just turned down, whatever program asks.
  private func heedingRefusals<Result>(
    _ options: PromptOptions, _ subject: PromptSubject, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isInterruption(options, subject) else { return try body() }
    // Without the service a client says itself that it is in sight.
    let isRated = core.foreground != nil && options.asksPerson && link.peer.user != 0
    let objection = core.refusals.withLock { refusals in
      let now = core.clock.now()
      return refusals.objection(to: subject.refused, at: now)
        ?? (isRated ? refusals.rateObjection(at: now) : nil)
    }
    if let objection { throw objection }
    do throws(Failure) {
      let result = try body()
      core.refusals.withLock { $0.noteProof() }
      return result
    } catch  where error.code == .userCancel || error.code == .timedOut {
      core.refusals.withLock { refusals in
        let now = core.clock.now()
        refusals.noteTurnedDown(at: now)
        if error.code == .userCancel, let refused = subject.refused {
          refusals.noteCancel(of: refused, at: now)
        }
      }
      throw error
    }
  }

  /// Whether a request may come unwanted. A typed command does not, nor `authcore unlock`, which
  /// ends what a Cancel began, nor does a program of the service that logs people in.
  private func isInterruption(_ options: PromptOptions, _ subject: PromptSubject) -> Bool {
    let isUnlocking = subject.matter == .unlocking
    if link.isOwnersCommand(options), options.canGivePasscode || isUnlocking { return false }
    let isOfLogin = isUnlocking || subject.matter == .presence
    guard isOfLogin, let foreground = core.foreground else { return true }
    return link.peer.user != 0 && !foreground.isScreenLock(link)
  }

  // MARK: The foreground

  /// Runs `body` with the options that the foreground permits (A6), and with the touch that an
  /// agent may await. If the person sits at a seat, it ends with `systemCancel` when they leave.
  ///
  /// It does not restrict what the client answers without a person, for example from a file.
  func inForeground<Result>(
    _ options: PromptOptions, _ body: (PromptOptions, AwaitedTouch) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let foreground = core.foreground, options.asksPerson else {
      return try body(options, .person)
    }
    return try inForeground(foreground, options, body)
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
      return try body(options.limited(to: permission), permission.agentTouch ? .person : .none)
    } catch  where error.code == .notInteractive {
      // Why a person may not be asked says more than that none can be.
      throw objection
    }
  }
}

extension ClientLink {
  /// Whether this is the command or the settings, acting for nobody else.
  fileprivate func isOwnersCommand(_ options: PromptOptions) -> Bool {
    door == nil && application == commandApplication
      && (options.applicationName ?? commandApplication) == commandApplication
  }
}

extension PromptSubject {
  /// What the owner's Cancel of it holds for; nil if for this request alone.
  fileprivate var refused: PromptRefusals.Subject? {
    if unlocks || matter == .unlocking { return .everything }
    return identity.isEmpty ? nil : .item(identity)
  }
}

extension PromptOptions {
  /// Whether an agent is asked first: its window is no terminal that other programs read. A command
  /// that a person typed asks itself if it can (FINDINGS A1).
  fileprivate func needsAgent(isTyped: Bool) -> Bool {
    mayUseAgent && touch != .unattended && !(isTyped && canGivePasscode)
  }

  /// Whether a person may be asked, by the client or by an agent.
  fileprivate var asksPerson: Bool { touch == .person || mayUseAgent }

  fileprivate func limited(to permission: ForegroundPermission) -> PromptOptions {
    // A client that shows no prompt answers from what it was given.
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

/// Whether agents wait for a core of a state folder to serve. A core that was just started for a
/// request gives them time to connect.
private enum AgentPresence {
  static func isKnown(in home: String) -> Bool {
    let number = unsafe open(
      home + "/" + StateFolder.agentLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return false }
    let file = Descriptor(owning: number)
    // Agents hold a shared lock; the lock taken here ends with the descriptor.
    return flock(file.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
