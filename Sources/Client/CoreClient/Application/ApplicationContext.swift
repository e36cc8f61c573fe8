import LinuxSystem
package import Protocol

/// An evidence context of the enclave that an application keeps: a proof for one request serves the
/// others (`LAContext`, `kSecUseAuthenticationContext`).
///
/// Any thread; requests in it run one after another. It is opened with the first request and ends
/// with this value at the latest. It is opened anew, with nothing proved, if its core has ended or
/// the enclave has ended it because the device was locked or its passcode or fingers were changed.
package final class ApplicationContext: Sendable {
  private struct State {
    /// The enclave's context and its connection, once it is open.
    var opened: (connection: CoreConnection, number: UInt64)?
    var isInvalid = false
    var cancellation: CancellationSignal?
    var isBusy = false
  }

  private let client: ApplicationClient
  private let state = Guarded(State())

  /// `client`'s core opens the context.
  package init(_ client: ApplicationClient = .current) { self.client = client }

  /// Authenticates the owner. Nobody is asked if the context holds enough evidence, or if a touch
  /// unlocked the device at most `reuseSeconds` ago (0…``Protocol/longestReuse``), which is no
  /// evidence for later requests. ``cancel(_:)`` with `cancellation` ends only this request.
  /// - Returns: what proved it, and how long ago.
  /// - Throws: what the policy fails with; `invalidContext`, `appCancel`.
  package func evaluate(
    _ policy: EvaluatedPolicy, _ prompting: Prompting, reuseSeconds: UInt32 = 0,
    cancellation: CancellationSignal = CancellationSignal()
  ) throws(Failure) -> Evaluated {
    try inTurn(cancellation) { () throws(Failure) in
      try client.promptTurn.take(cancellation) { () throws(Failure) in
        try withContext { (opened) throws(Failure) in
          try client.prompt(prompting, on: opened.connection, cancellation: cancellation) {
            (connection, options, agent) throws(Failure) in
            try connection.request(
              Evaluate(
                policy: policy, reuseSeconds: reuseSeconds, context: opened.number,
                options: options), agent: agent)
          }
        }
      }
    }
  }

  /// Sends a message for an engine in this context, as ``ApplicationClient/ask(_:_:in:for:)`` does.
  /// If `isEvaluation`, only the proof matters, and a recording begins anew.
  package func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ prompting: Prompting = Prompting(),
    isEvaluation: Bool = false, cancellation: CancellationSignal = CancellationSignal(),
    for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try inTurn(cancellation) { () throws(Failure) in
      do throws(Failure) {
        return try withContext { (opened) throws(Failure) in
          try opened.connection.ask(
            message, .none, in: opened.number, .forbidden, unlocks: prompting.unlocks)
        }
      } catch {
        guard error.code == .errSecInteractionNotAllowed, prompting.isAllowed else { throw error }
      }
      return try client.promptTurn.take(cancellation) { () throws(Failure) in
        try withContext { (opened) throws(Failure) in
          try client.prompt(
            prompting, on: opened.connection, restartsDriver: isEvaluation,
            cancellation: cancellation
          ) { (connection, options, agent) throws(Failure) in
            try connection.ask(
              message, options, in: opened.number, unlocks: prompting.unlocks, agent: agent)
          }
        }
      }
    }
  }

  /// Gives it an application password, which enters the keys of items opened or sealed in it.
  package func give(
    appPassword: consuming SecretBytes, for use: AppPasswordUse
  ) throws(Failure) {
    let _: Done = try ask(GiveAppPassword(use: use, password: appPassword), .forbidden)
  }

  /// Ends the request under way, which fails with `appCancel`. Any thread; does not wait.
  package func cancel() {
    if let cancellation = state.read({ $0.cancellation }) { client.promptTurn.cancel(cancellation) }
  }

  /// Ends the request with this signal, under way or waiting; it fails with `appCancel`. Any
  /// thread; does not wait.
  package func cancel(_ cancellation: CancellationSignal) {
    client.promptTurn.cancel(cancellation)
    state.update { _ in }
  }

  /// Ends the context: the request under way fails with `appCancel`, later ones with
  /// `invalidContext`, and the enclave forgets what was proved. Any thread; does not wait.
  package func invalidate() {
    let (cancellation, opened) = state.update { state in
      state.isInvalid = true
      defer { if !state.isBusy { state.opened = nil } }
      return (state.cancellation, state.isBusy ? nil : state.opened)
    }
    if let cancellation { client.promptTurn.cancel(cancellation) }
    if let opened { client.pool.end(opened.number, in: opened.connection) }
  }

  private typealias Opened = (connection: CoreConnection, number: UInt64)

  /// Carries out a request after those before it.
  private func inTurn<Reply: ~Copyable>(
    _ cancellation: CancellationSignal, _ body: () throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let refusal: Failure?? = state.wait { state in
      if state.isInvalid { return .some(Self.isOver) }
      if cancellation.isCancelled { return .some(.requestCancelled) }
      guard !state.isBusy else { return nil }
      state.isBusy = true
      state.cancellation = cancellation
      return .some(nil)
    }
    if let refusal = refusal ?? nil { throw refusal }
    defer { finish() }
    return try body()
  }

  /// Uses the enclave's context, or a new one if the enclave has ended it.
  private func withContext<Reply: ~Copyable>(
    _ body: (Opened) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    do throws(Failure) {
      return try withOpened(body)
    } catch  where error.code == .invalidContext && !state.read({ $0.isInvalid }) {
      closeOpened()
      return try withOpened(body)
    }
  }

  private func closeOpened() {
    let opened = state.update { $0.opened.take() }
    if let opened { client.pool.end(opened.number, in: opened.connection) }
  }

  /// Uses the enclave's context, with its connection lent meanwhile.
  private func withOpened<Reply: ~Copyable>(
    _ body: (Opened) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let opened = try open()
    defer { client.pool.give(back: opened.connection) }
    return try body(opened)
  }

  private func finish() {
    let ended = state.update { state in
      state.isBusy = false
      state.cancellation = nil
      guard state.isInvalid, let opened = state.opened else { return Opened?.none }
      state.opened = nil
      return opened
    }
    if let ended { client.pool.end(ended.number, in: ended.connection) }
  }

  /// The enclave's context, with its connection lent.
  private func open() throws(Failure) -> Opened {
    if let opened = state.read({ $0.opened }), client.pool.take(opened.connection) != nil {
      return opened
    }
    let connection = try client.pool.take(forContext: true)
    do throws(Failure) {
      let reply: ContextOpened = try connection.request(NewContext())
      let opened = (connection, reply.context)
      state.update { $0.opened = opened }
      return opened
    } catch {
      client.pool.giveBackWithoutContext(connection)
      throw error
    }
  }

  private static let isOver = Failure(
    .invalidContext, "The context was invalidated",
    hint: "make another one for further requests")

  deinit {
    if let opened = state.read({ $0.opened }) {
      client.pool.end(opened.number, in: opened.connection)
    }
  }
}
