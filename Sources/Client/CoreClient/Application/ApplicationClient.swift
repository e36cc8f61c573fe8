package import LinuxSystem
package import Protocol
package import Synchronization

/// Connects an application to its owner's keychain and enclave: finds the core, starts it on
/// demand, and shares a few connections among all threads.
///
/// Any thread; calls block until they are answered. A process shows one prompt at a time.
package final class ApplicationClient: Sendable {
  package let settings: ApplicationSettings
  let pool: ConnectionPool
  private let driver: ApplicationDriver?
  private let caller: NamedCaller?
  let promptTurn = PromptTurn()
  /// The shared groups that calls through this client named.
  package let namedGroups = Mutex<[String]>([])

  package static let shared = ApplicationClient(.current())

  /// Replaces ``shared`` in a task: tests have clients of their own.
  @TaskLocal package static var replacement: ApplicationClient?

  /// The client that an application's calls use.
  package static var current: ApplicationClient { replacement ?? shared }

  /// - Parameters:
  ///   - settings: name the core and the application.
  ///   - caller: the process that a door acts for, which every connection names to the core; nil
  ///     for a program that asks for itself. Requests fail with `errSecMissingEntitlement` if this
  ///     program is no door, or once the process has ended or runs another program.
  ///   - other: a client with the same settings, whose driver is not resolved once more.
  package init(
    _ settings: ApplicationSettings, actingFor caller: consuming RunningProcess? = nil,
    beside other: ApplicationClient? = nil
  ) {
    self.settings = settings
    let caller: NamedCaller? =
      switch consume caller {
      case .some(let process): NamedCaller(process)
      case nil: nil
      }
    self.caller = caller
    let driver =
      other?.driver ?? settings.environment.driver.map { ApplicationDriver($0, settings) }
    self.driver = driver
    pool = ConnectionPool { () throws(Failure) in
      let prints = try driver?.resolved().prints ?? .real
      let location = try settings.location(prints: prints)
      let access = CoreAccess(to: location, program: try settings.coreProgram())
      let connection =
        try settings.takesAnyRelease ? access.connectToAnyRelease() : access.connect()
      try caller?.introduce(on: connection)
      try driver?.use(on: connection)
      return connection
    }
  }

  /// Sends a message for the core itself, which does not prompt.
  /// - Throws: what the core answered instead, or why none could be reached.
  package func request<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try carryOut { (connection) throws(Failure) in try connection.request(message) }
  }

  /// Sends a message for an engine. If the engine demands a proof, the owner is asked as
  /// `prompting` says.
  /// - Parameters:
  ///   - message: the request.
  ///   - prompting: whether and how the owner is asked.
  ///   - context: keeps the proof, and lends earlier ones; nil if the request stands alone.
  ///   - reply: the kind of answer.
  /// - Returns: the engine's answer.
  /// - Throws: the failure of core or engine, or why no core could be reached;
  ///   `errSecInteractionNotAllowed` if the owner would have to be asked and may not be.
  package func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ prompting: Prompting = Prompting(),
    in context: ApplicationContext? = nil, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    if let context { return try context.ask(message, prompting) }
    do throws(Failure) {
      return try carryOut { (connection) throws(Failure) in
        try connection.ask(message, .none, .forbidden, unlocks: prompting.unlocks)
      }
    } catch {
      guard error.code == .errSecInteractionNotAllowed, prompting.isAllowed else { throw error }
    }
    // Only a request that has to prompt waits for its turn, looks at the terminal and begins a
    // tape.
    return try promptTurn.take(nil) { () throws(Failure) in
      let connection = try pool.take()
      defer { pool.give(back: connection) }
      return try prompt(prompting, on: connection) { (connection, options, agent) throws(Failure) in
        try connection.ask(message, options, unlocks: prompting.unlocks, agent: agent)
      }
    }
  }

  /// Carries out a request that may prompt, in this thread's turn, on the terminal of the process.
  ///
  /// If `restartsDriver`, a recording begins anew: a person's actions at one prompt belong to that
  /// prompt. Another thread can end the request by `cancellation`.
  func prompt<Reply: ~Copyable>(
    _ prompting: Prompting, on connection: CoreConnection, restartsDriver: Bool = true,
    cancellation: CancellationSignal? = nil,
    _ body: (CoreConnection, PromptOptions, any PromptAgent) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let situation = try PromptSituation(settings, prompting, caller, cancellation)
    try readyDriver(on: connection, restarts: restartsDriver)
    let options = situation.options(prompting)
    do throws(Failure) {
      return try situation.agent.carryOut { () throws(Failure) in
        try body(connection, options, situation.agent)
      }
    } catch {
      throw situation.explained(error)
    }
  }

  /// Carries out a request whose prompts `agent` answers, after those of other threads.
  package func prompt<Reply: ~Copyable>(
    by agent: any PromptAgent, _ body: (CoreConnection) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    try promptTurn.take(nil) { () throws(Failure) in
      let connection = try pool.take()
      defer { pool.give(back: connection) }
      try readyDriver(on: connection, restarts: true)
      return try agent.carryOut { () throws(Failure) in try body(connection) }
    }
  }

  private func readyDriver(on connection: CoreConnection, restarts: Bool) throws(Failure) {
    if restarts, connection.hasStartedDriver { try driver?.use(on: connection) }
    connection.hasStartedDriver = driver != nil
  }

  /// Carries out requests that do not prompt. If the core ended before it took them, another is
  /// started and asked.
  package func carryOut<Reply: ~Copyable>(
    _ body: (CoreConnection) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    do throws(Failure) {
      return try carryOutOnce(body)
    } catch {
      guard error.code == .systemCancel else { throw error }
      return try carryOutOnce(body)
    }
  }

  private func carryOutOnce<Reply: ~Copyable>(
    _ body: (CoreConnection) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let connection = try pool.take()
    defer { pool.give(back: connection) }
    return try body(connection)
  }
}
