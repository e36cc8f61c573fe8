import Glibc
import LinuxSystem
import Protocol

/// An agent, which shows the prompts of a client that can ask nobody itself.
final class AgentPrompter: Prompter {
  let options: PromptOptions
  private let call: Call
  private let subject: PromptSubject
  private let agent: ServingAgent
  private var hasTurn = false
  /// The prompt on view.
  private var prompt: UInt32?

  init(
    _ call: Call, _ options: PromptOptions, _ subject: PromptSubject, _ agent: ServingAgent,
    _ touch: AwaitedTouch
  ) {
    self.call = call
    self.subject = subject
    self.options = options.answeredByPerson(awaiting: touch)
    self.agent = agent
  }

  var showMilliseconds: UInt32? { call.core.limits.agentShowMilliseconds }

  func begin() throws(Failure) {
    guard !hasTurn else { return }
    try call.core.agents.begin(call.inbox, with: agent)
    hasTurn = true
  }

  func show(_ content: PromptContent) throws(Failure) {
    let number = call.core.agents.nextPrompt(of: call.inbox)
    prompt = number
    let message = Prompt(prompt: number, content, options, subject, for: call.link)
    guard agent.send(message) else { throw PromptAgents.lost }
  }

  func tell(_ event: Progress.Event) throws(Failure) {
    guard agent.send(Progress(event)) else { throw PromptAgents.lost }
  }

  func giveUp() -> Failure {
    drop()
    return PromptAgents.lost
  }

  /// Asks this agent no more.
  func drop() {
    call.core.agents.remove(agent)
    agent.link.disconnect()
  }

  /// The evaluation is over, with this failure or without one.
  func end(_ failure: Failure?) {
    guard hasTurn else { return }
    hasTurn = false
    // The next one's prompt must not overtake the end of this one's.
    defer { call.core.agents.end(call.inbox) }
    guard let prompt else { return }
    let outcome: AgentPromptEnded.Outcome =
      switch failure?.code {
      case nil: .proved
      case .authenticationFailed, .biometryLockout: .refused
      default: .withdrawn
      }
    _ = agent.send(AgentPromptEnded(prompt: prompt, outcome: outcome))
  }
}

extension PromptOptions {
  /// Whether the client can ask nobody itself and an agent may.
  fileprivate var needsAgent: Bool {
    guard mayUseAgent, !canGivePasscode else { return false }
    return touch == .none || touch == .played
  }

  /// The same request with somebody who sees its prompts.
  fileprivate func answeredByPerson(awaiting touch: AwaitedTouch) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle,
      timeoutMilliseconds: timeoutMilliseconds, mayPrompt: true, touch: touch,
      canGivePasscode: true, prefersPasscode: prefersPasscode, mayUseAgent: true,
      applicationName: applicationName)
  }
}

extension Call {
  /// How many agents are tried for one evaluation.
  private static let mostAgents = 3

  /// Has the person asked by whoever can: the client, or an agent where the client cannot. An agent
  /// that is lost meanwhile gives way to another one; where none is left, it is as if none had been
  /// there.
  /// - Throws: `invalidReason` for a reason that nobody could read. Requests that name what they want
  ///   may go without one.
  func asking<Result>(
    _ options: PromptOptions, _ subject: PromptSubject,
    _ body: (any Prompter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard options.reason.isEmpty || options.reason.hasVisibleCharacters else {
      throw .invalidReason(hint: "say what the owner permits, or leave the reason out")
    }
    return try inForeground(options) { (options, agentTouch) throws(Failure) in
      try askingWhoever(options, subject, agentTouch, body)
    }
  }

  /// The agent to ask: the last that came, or where logind is asked the one that the client's person
  /// sees.
  private var agentInSight: ServingAgent? {
    let agents = core.agents.newestFirst
    guard let foreground = core.foreground else { return agents.first }
    return foreground.choose(among: agents, for: link.peer)
  }

  private func askingWhoever<Result>(
    _ options: PromptOptions, _ subject: PromptSubject, _ agentTouch: AwaitedTouch,
    _ body: (any Prompter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var attempts = 0
    if options.needsAgent, core.agents.count == 0, AgentPresence.isKnown(in: core.home) {
      try attend()
      try core.agents.awaitFirst(for: inbox, milliseconds: core.limits.agentArrivalMilliseconds)
    }
    while options.needsAgent, attempts < Self.mostAgents, let agent = agentInSight {
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
}

/// Agents that wait for a core to serve a state folder: one that was started for a request a moment
/// ago gives them the time to come.
private enum AgentPresence {
  /// Whether there is one.
  static func isKnown(in home: String) -> Bool {
    let number = unsafe open(
      home + "/" + StateFolder.agentLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return false }
    let file = Descriptor(owning: number)
    // Held shared by agents; what is taken here ends with the descriptor.
    return flock(file.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
