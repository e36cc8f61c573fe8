import LinuxSystem
package import Protocol

/// An evidence context of the enclave's that an application keeps: what is proved for one request
/// in it serves the others (`LAContext`, `kSecUseAuthenticationContext`).
///
/// Any thread; requests in it run one after another. It is opened with the first request, ends with
/// this value at the latest, and is opened anew, with nothing proved, if its core has ended, or
/// if the enclave has ended it: the device was locked, its passcode or its fingers were changed.
package final class ApplicationContext: Sendable {
  private struct State {
    /// Where the enclave's context lies, once it is open.
    var place: (connection: CoreConnection, number: UInt64)?
    var reuseSeconds: UInt32
    var isInvalid = false
    /// Of the request under way.
    var cancellation: CancellationSignal?
    var isBusy = false
  }

  private let client: ApplicationClient
  private let state: Guarded<State>

  /// - Parameters:
  ///   - client: whose core it is opened at.
  ///   - reuseSeconds: see ``reuseSeconds``.
  package init(_ client: ApplicationClient = .current, reuseSeconds: UInt32 = 0) {
    self.client = client
    state = Guarded(State(reuseSeconds: reuseSeconds))
  }

  /// An unlock by touch at most this many seconds before a request counts as a touch for it;
  /// 0…``Protocol/longestReuse``. Counts from when the context is opened: later changes are for
  /// nothing.
  package var reuseSeconds: UInt32 {
    get { state.read { $0.reuseSeconds } }
    set { state.update { $0.reuseSeconds = newValue } }
  }

  /// Authenticates the owner; nobody is asked if the context holds what suffices.
  /// ``cancel(_:)`` with `cancellation` ends this request alone.
  /// - Returns: what proved it, and how long ago.
  /// - Throws: what the policy fails with; `invalidContext`, `appCancel`.
  package func evaluate(
    _ policy: EvaluatedPolicy, _ prompting: Prompting,
    cancellation: CancellationSignal = CancellationSignal()
  ) throws(Failure) -> Evaluated {
    try inTurn(cancellation) { () throws(Failure) in
      try client.promptTurn.take(cancellation) { () throws(Failure) in
        try inPlace { (place) throws(Failure) in
          try client.prompt(prompting, on: place.connection, cancellation: cancellation) {
            (connection, options, agent) throws(Failure) in
            try connection.request(
              Evaluate(policy: policy, context: place.number, options: options), agent: agent)
          }
        }
      }
    }
  }

  /// Sends a message for an engine in this context, as ``ApplicationClient/ask(_:_:in:for:)`` does.
  /// Where `isEvaluation`, it is about nothing but the proof, and a recording begins anew.
  package func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ prompting: Prompting = Prompting(),
    isEvaluation: Bool = false, cancellation: CancellationSignal = CancellationSignal(),
    for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try inTurn(cancellation) { () throws(Failure) in
      do throws(Failure) {
        return try inPlace { (place) throws(Failure) in
          try place.connection.ask(
            message, .none, in: place.number, .forbidden, unlocks: prompting.unlocks)
        }
      } catch {
        guard error.code == .errSecInteractionNotAllowed, prompting.isAllowed else { throw error }
      }
      return try client.promptTurn.take(cancellation) { () throws(Failure) in
        try inPlace { (place) throws(Failure) in
          try client.prompt(
            prompting, on: place.connection, restartsDriver: isEvaluation,
            cancellation: cancellation
          ) { (connection, options, agent) throws(Failure) in
            try connection.ask(
              message, options, in: place.number, unlocks: prompting.unlocks, agent: agent)
          }
        }
      }
    }
  }

  /// Gives it an application password, which enters the keys of what is opened or sealed in it.
  package func give(
    appPassword: consuming SecretBytes, for use: AppPasswordUse
  ) throws(Failure) {
    let _: Done = try ask(GiveAppPassword(use: use, password: appPassword), .forbidden)
  }

  /// Ends the request under way, which fails with `appCancel`. Any thread; does not wait.
  package func cancel() {
    if let cancellation = state.read({ $0.cancellation }) { client.promptTurn.cancel(cancellation) }
  }

  /// Ends the request that was made with this, whether it is under way or waits for its turn; it
  /// fails with `appCancel`. Any thread; does not wait.
  package func cancel(_ cancellation: CancellationSignal) {
    client.promptTurn.cancel(cancellation)
    state.update { _ in }
  }

  /// Ends it for good: the request under way fails with `appCancel`, later ones with
  /// `invalidContext`, and the enclave forgets what was proved. Any thread; does not wait.
  package func invalidate() {
    let (cancellation, place) = state.update { state in
      state.isInvalid = true
      defer { if !state.isBusy { state.place = nil } }
      return (state.cancellation, state.isBusy ? nil : state.place)
    }
    if let cancellation { client.promptTurn.cancel(cancellation) }
    if let place { client.pool.end(place.number, in: place.connection) }
  }

  private typealias Place = (connection: CoreConnection, number: UInt64)

  /// Carries out a request when those before it are over.
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

  /// Uses the enclave's context, or another one if the enclave has ended it.
  private func inPlace<Reply: ~Copyable>(
    _ body: (Place) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    do throws(Failure) {
      return try inPlaceThereIs(body)
    } catch  where error.code == .invalidContext && !state.read({ $0.isInvalid }) {
      leavePlace()
      return try inPlaceThereIs(body)
    }
  }

  private func leavePlace() {
    let place = state.update { $0.place.take() }
    if let place { client.pool.end(place.number, in: place.connection) }
  }

  /// Uses the enclave's context, with the connection it lies in lent for as long as that takes.
  private func inPlaceThereIs<Reply: ~Copyable>(
    _ body: (Place) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let place = try openPlace()
    defer { client.pool.give(back: place.connection) }
    return try body(place)
  }

  private func finish() {
    let ended = state.update { state in
      state.isBusy = false
      state.cancellation = nil
      guard state.isInvalid, let place = state.place else { return Place?.none }
      state.place = nil
      return place
    }
    if let ended { client.pool.end(ended.number, in: ended.connection) }
  }

  /// The context's place, with its connection lent.
  private func openPlace() throws(Failure) -> Place {
    if let place = state.read({ $0.place }), client.pool.take(place.connection) != nil {
      return place
    }
    let connection = try client.pool.take(forContext: true)
    do throws(Failure) {
      let opened: ContextOpened = try connection.request(NewContext(reuseSeconds: reuseSeconds))
      let place = (connection, opened.context)
      state.update { $0.place = place }
      return place
    } catch {
      client.pool.giveBackWithoutContext(connection)
      throw error
    }
  }

  private static let isOver = Failure(
    .invalidContext, "The context was invalidated",
    hint: "make another one for what is to be permitted next")

  deinit {
    if let place = state.read({ $0.place }) {
      client.pool.end(place.number, in: place.connection)
    }
  }
}
