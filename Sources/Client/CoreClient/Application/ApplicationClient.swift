package import Protocol
package import Synchronization

/// The way of an application to its owner's keychain and enclave: finds the core, starts it on
/// demand, and shares a few connections among all threads.
///
/// Any thread; calls block until they are answered. One prompt of a process is on view at a time.
package final class ApplicationClient: Sendable {
  /// What the environment and the installation say, and who asks.
  package let settings: ApplicationSettings
  let pool: ConnectionPool
  private let driver: ApplicationDriver?
  let promptTurn = PromptTurn()
  /// The shared groups that calls through this client have named.
  package let namedGroups = Mutex<[String]>([])

  /// That of this process and its environment.
  package static let shared = ApplicationClient(.current())

  /// In place of ``shared`` for what a task calls: tests have clients of their own.
  @TaskLocal package static var replacement: ApplicationClient?

  /// The client that calls of an application go through.
  package static var current: ApplicationClient { replacement ?? shared }

  /// A client that has not connected yet.
  package init(_ settings: ApplicationSettings) {
    self.settings = settings
    let driver = settings.environment.driver.map { ApplicationDriver($0, settings) }
    self.driver = driver
    pool = ConnectionPool { () throws(Failure) in
      let prints = try driver?.resolved().prints ?? .real
      let location = try settings.location(prints: prints)
      let connection = try CoreAccess(to: location, program: try settings.coreProgram())
        .connectToAnyRelease()
      try driver?.use(on: connection)
      return connection
    }
  }

  /// Sends a message for the core itself, which prompts for nothing.
  /// - Throws: what the core answered instead, or why none could be reached.
  package func request<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try onAnyConnection { (connection) throws(Failure) in
      try connection.request(message)
    }
  }

  /// Sends a message for an engine. Where that wants something proved the owner is asked, as
  /// `prompting` says.
  /// - Parameters:
  ///   - message: what is asked.
  ///   - prompting: whether and how the owner is asked.
  ///   - context: where what is proved stays, and what was proved before counts; nil: the request
  ///     stands alone.
  ///   - reply: the kind of answer.
  /// - Returns: the engine's answer.
  /// - Throws: what core or engine answered instead, or why no core could be reached;
  ///   `errSecInteractionNotAllowed` where the owner would have to be asked and may not be.
  package func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ prompting: Prompting = Prompting(),
    in context: ApplicationContext? = nil, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    if let context { return try context.ask(message, prompting) }
    do throws(Failure) {
      return try onAnyConnection { (connection) throws(Failure) in
        try connection.ask(message, .none, .forbidden)
      }
    } catch {
      guard error.code == .errSecInteractionNotAllowed, prompting.isAllowed else { throw error }
    }
    // Only what has to prompt waits for its turn, looks at the terminal and begins a tape.
    return try promptTurn.take(nil) { () throws(Failure) in
      let connection = try pool.take()
      defer { pool.give(back: connection) }
      return try prompt(prompting, on: connection) { (connection, options, agent) throws(Failure) in
        try connection.ask(message, options, agent: agent)
      }
    }
  }

  /// Carries out a request that may prompt, in this thread's turn.
  ///
  /// Where `restartsDriver`, a recording begins anew: what a person does at one prompt belongs to
  /// that one. Another thread ends it by `cancellation`.
  func prompt<Reply: ~Copyable>(
    _ prompting: Prompting, on lent: PooledConnection, restartsDriver: Bool = true,
    cancellation: CancellationSignal? = nil,
    _ body: (CoreConnection, PromptOptions, any PromptAgent) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let situation = try PromptSituation(settings, prompting, cancellation)
    return try lent.carryOut { (connection) throws(Failure) in
      if restartsDriver, lent.hasStartedDriver { try driver?.use(on: connection) }
      lent.hasStartedDriver = driver != nil
      let options = situation.options(prompting)
      return try situation.agent.carryOut { () throws(Failure) in
        try body(connection, options, situation.agent)
      }
    }
  }

  /// Carries out a request that prompts for nothing. Where the core ended before it took the
  /// request, another one is started and asked.
  private func onAnyConnection<Reply: ~Copyable>(
    _ body: (CoreConnection) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let first: PooledConnection = try pool.take()
    do throws(Failure) {
      defer { pool.give(back: first) }
      return try first.carryOut(body)
    } catch {
      guard error.code == .systemCancel else { throw error }
    }
    let second = try pool.take()
    defer { pool.give(back: second) }
    return try second.carryOut(body)
  }
}
