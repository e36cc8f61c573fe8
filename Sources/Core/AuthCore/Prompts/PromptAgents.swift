import LinuxSystem
import Protocol

/// The agents of a user, and whose prompt is on view: one at a time, in the order in which they were
/// wanted, whoever asks and however many agents there are (docs/decisions/0045). Any thread.
final class PromptAgents: Sendable {
  /// The request that has its turn.
  private struct View: Sendable {
    let agent: ServingAgent
    let inbox: RequestInbox
    /// The prompt that the agent was sent last.
    var prompt: UInt32 = 0
  }

  private struct State: Sendable {
    /// In the order they came.
    var agents: [ServingAgent] = []
    var view: View?
    var waiting: [ObjectIdentifier] = []
    /// Numbers the prompts of all agents.
    var lastPrompt: UInt32 = 0
  }

  private let state = Guarded(State())
  private let limits: CoreLimits

  init(_ limits: CoreLimits) { self.limits = limits }

  // MARK: Agents

  /// How many there are.
  var count: Int { state.read { $0.agents.count } }

  /// Waits until there are as many as `suffices`.
  func waitUntil(_ suffices: (Int) -> Bool) {
    state.wait { suffices($0.agents.count) ? () : nil }
  }

  /// Waits until a request has its turn.
  func waitForView() { state.wait { $0.view == nil ? nil : () } }

  /// Waits until so many requests wait for their turn.
  func waitForQueue(_ count: Int) { state.wait { $0.waiting.count >= count ? () : nil } }

  /// All of them, the last that came first.
  var newestFirst: [ServingAgent] { state.read { $0.agents.reversed() } }

  /// Waits until there is one, or `milliseconds` have passed.
  /// - Throws: why the request is interrupted.
  func awaitFirst(for inbox: RequestInbox, milliseconds: UInt32) throws(Failure) {
    inbox.onInterruption { [state] in state.update { _ in } }
    defer { inbox.onInterruption(nil) }
    let end: Result<Void, Failure>? = state.wait(
      nanoseconds: UInt64(milliseconds) * 1_000_000
    ) { state in
      if let interruption = inbox.interruption { return .failure(interruption) }
      return state.agents.isEmpty ? nil : .success(())
    }
    try end?.get()
  }

  /// Takes one more.
  /// - Throws: `busy` where there are too many.
  func add(_ agent: ServingAgent) throws(Failure) {
    let limit = limits.agents
    let isTaken = state.update { state in
      guard state.agents.count < limit else { return false }
      state.agents.append(agent)
      return true
    }
    guard isTaken else {
      throw Failure(
        .busy, "\(limit) agents serve this user", hint: "end those of sessions that are over")
    }
  }

  /// One is gone, or is asked no more: the request that it prompts for hears of it.
  func remove(_ agent: ServingAgent) {
    state.update { state in
      state.agents.removeAll { $0 === agent }
      if let view = state.view, view.agent === agent { view.inbox.losePrompter(Self.lost) }
    }
  }

  /// Takes an answer of an agent's.
  /// - Returns: false for an answer that makes no sense: to a prompt that it was never sent, or one
  ///   too many.
  func deliver(_ answer: RequestEvent, to prompt: UInt32, from agent: ServingAgent) -> Bool {
    state.update { state in
      guard prompt > 0, prompt <= state.lastPrompt else { return false }
      guard let view = state.view, view.agent === agent, view.prompt == prompt else { return true }
      return view.inbox.post(answer, to: .ofAgent(prompt), atMost: limits.pendingAnswers)
    }
  }

  // MARK: Turns

  /// Waits until the request is the one that is asked about, until ``end(_:)``.
  /// - Throws: why the request is interrupted; `busy` where too many wait; ``lost``.
  func begin(_ inbox: RequestInbox, with agent: ServingAgent) throws(Failure) {
    let (name, limit) = (ObjectIdentifier(inbox), limits.waitingPrompts)
    let isQueued = state.update { state in
      guard state.waiting.count < limit else { return false }
      state.waiting.append(name)
      return true
    }
    guard isQueued else {
      throw Failure(
        .busy, "\(limit) requests wait to be asked about", hint: "answer or cancel those first")
    }
    inbox.onInterruption { [state] in state.update { _ in } }
    defer { inbox.onInterruption(nil) }
    let refusal: Failure?? = state.wait { state in
      if let interruption = inbox.interruption {
        state.waiting.removeAll { $0 == name }
        return .some(interruption)
      }
      guard state.view == nil, state.waiting.first == name else { return nil }
      state.waiting.removeFirst()
      guard state.agents.contains(where: { $0 === agent }) else { return .some(Self.lost) }
      state.view = View(agent: agent, inbox: inbox)
      return .some(nil)
    }
    // Whoever is next sees that the queue has moved.
    state.update { _ in }
    if let refusal = refusal ?? nil { throw refusal }
  }

  /// Numbers the next prompt of the request that has its turn; answers to it count from here on.
  func nextPrompt(of inbox: RequestInbox) -> UInt32 {
    state.update { state in
      state.lastPrompt += 1
      state.view?.prompt = state.lastPrompt
      inbox.expectAnswers(to: .ofAgent(state.lastPrompt))
      return state.lastPrompt
    }
  }

  /// The request is asked about no more.
  func end(_ inbox: RequestInbox) {
    state.update { state in
      if state.view?.inbox === inbox { state.view = nil }
    }
  }

  /// What a request hears whose agent is gone. It is not what it fails with: somebody else is asked,
  /// or nobody.
  static let lost = Failure(.notInteractive, "the agent that showed the prompt is gone")
}

/// A connection that serves as an agent, and the request it does so under. Any thread.
final class ServingAgent: Sendable {
  let link: ClientLink
  /// The id of its ``Protocol/BecomeAgent``.
  private let request: UInt32

  init(_ link: ClientLink, request: UInt32) {
    self.link = link
    self.request = request
  }

  /// Sends what belongs to a prompt.
  /// - Returns: whether it was taken.
  func send(_ message: borrowing some WireMessage & ~Copyable) -> Bool {
    link.send(ClientEnvelope.encode(message, request: request))
  }
}
