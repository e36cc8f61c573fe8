import LinuxSystem
import Protocol

/// The agents of a user, and the prompt on view: one at a time, in order, for all clients and
/// agents together (docs/decisions/0045). Any thread.
final class PromptAgents: Sendable {
  private struct View: Sendable {
    let agent: ServingAgent
    let inbox: RequestInbox
    /// The last prompt that the agent was sent.
    var prompt: UInt32 = 0
  }

  private struct State: Sendable {
    var agents: [ServingAgent] = []
    var view: View?
    var waiting: [ObjectIdentifier] = []
    var lastPrompt: UInt32 = 0
  }

  private let state = Guarded(State())
  private let limits: CoreLimits

  init(_ limits: CoreLimits) { self.limits = limits }

  // MARK: Agents

  var count: Int { state.read { $0.agents.count } }

  func waitUntil(_ suffices: (Int) -> Bool) { state.wait { suffices($0.agents.count) ? () : nil } }
  func waitForView() { state.wait { $0.view == nil ? nil : () } }
  func waitForQueue(_ count: Int) { state.wait { $0.waiting.count >= count ? () : nil } }

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

  /// Adds an agent.
  /// - Throws: `busy` if there are too many.
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

  /// Removes an agent that is gone or does not answer, and tells the request that it prompts for.
  func remove(_ agent: ServingAgent) {
    state.update { state in
      state.agents.removeAll { $0 === agent }
      if let view = state.view, view.agent === agent { view.inbox.losePrompter(Self.lost) }
    }
  }

  /// Takes an agent's answer.
  /// - Returns: false if it makes no sense: to a prompt that was never sent, or one too many.
  func deliver(_ answer: RequestEvent, to prompt: UInt32, from agent: ServingAgent) -> Bool {
    state.update { state in
      guard prompt > 0, prompt <= state.lastPrompt else { return false }
      guard let view = state.view, view.agent === agent, view.prompt == prompt else { return true }
      return view.inbox.post(answer, to: .ofAgent(prompt), atMost: limits.pendingAnswers)
    }
  }

  // MARK: Turns

  /// Waits for the request's turn, which lasts until ``end(_:)``.
  /// - Throws: why the request is interrupted; `busy` if too many wait; ``lost``.
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
    // The next one sees that the queue has moved.
    state.update { _ in }
    if let refusal = refusal ?? nil { throw refusal }
  }

  /// Numbers the next prompt of the request that has its turn, and makes answers to it count.
  func nextPrompt(of inbox: RequestInbox) -> UInt32 {
    state.update { state in
      state.lastPrompt += 1
      state.view?.prompt = state.lastPrompt
      inbox.expectAnswers(to: .ofAgent(state.lastPrompt))
      return state.lastPrompt
    }
  }

  /// Ends the request's turn.
  func end(_ inbox: RequestInbox) {
    state.update { state in if state.view?.inbox === inbox { state.view = nil } }
  }

  /// What a request hears whose agent is gone. It does not fail with this: another agent or the
  /// client is asked.
  static let lost = Failure(.notInteractive, "the agent that showed the prompt is gone")
}

/// A connection that serves as an agent. Any thread.
final class ServingAgent: Sendable {
  let link: ClientLink
  private let request: UInt32

  init(_ link: ClientLink, request: UInt32) {
    self.link = link
    self.request = request
  }

  func send(_ message: borrowing some WireMessage & ~Copyable) -> Bool {
    link.send(ClientEnvelope.encode(message, request: request))
  }
}
