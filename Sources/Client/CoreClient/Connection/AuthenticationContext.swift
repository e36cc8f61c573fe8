package import Protocol

/// An evidence context of one connection: a proof for a request in it serves the others
/// (`LAContext`, `kSecUseAuthenticationContext`).
///
/// The enclave keeps the proof for at most five minutes, and not beyond a lock or a change of the
/// passcode or of the fingers; then requests in the context fail with `invalidContext`. It ends
/// with this value at the latest. It belongs to the thread of its connection.
package struct AuthenticationContext: ~Copyable {
  /// Its number within the connection.
  package let number: UInt64
  private let connection: CoreConnection
  private var isOpen = true

  fileprivate init(_ number: UInt64, of connection: CoreConnection) {
    (self.number, self.connection) = (number, connection)
  }

  /// Authenticates the owner. Nobody is asked if the context holds enough evidence.
  /// - Returns: what proved it, and how long ago.
  /// - Throws: `invalidContext` once it is over, and what the policy fails with.
  package borrowing func evaluate(
    _ policy: EvaluatedPolicy, _ options: PromptOptions, agent: (any PromptAgent)? = nil
  ) throws(Failure) -> Evaluated {
    try connection.request(
      Evaluate(policy: policy, context: number, options: options), agent: agent)
  }

  /// Sends a message for an engine, as ``CoreConnection/ask(_:_:in:for:agent:)`` does, in this
  /// context.
  package borrowing func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ options: PromptOptions = .none, unlocks: Bool = false,
    for reply: Reply.Type = Reply.self, agent: (any PromptAgent)? = nil
  ) throws(Failure) -> Reply {
    try connection.ask(message, options, in: number, unlocks: unlocks, agent: agent)
  }

  /// Ends it. When this returns, the enclave has forgotten what was proved.
  package consuming func invalidate() throws(Failure) {
    isOpen = false
    let _: Done = try connection.request(InvalidateContext(context: number))
  }

  deinit {
    guard isOpen else { return }
    connection.sendUnanswered(InvalidateContext(context: number))
  }
}

extension CoreConnection {
  /// Opens an evidence context, which holds nothing yet.
  /// - Throws: `busy` if this connection has too many.
  package func openContext() throws(Failure) -> AuthenticationContext {
    let opened: ContextOpened = try request(NewContext())
    return AuthenticationContext(opened.context, of: self)
  }
}
