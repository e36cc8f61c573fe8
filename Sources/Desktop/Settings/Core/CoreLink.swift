import CoreClient
import LinuxSystem
import Protocol
import Windows

/// The way of the window to the core: one connection, made when it is needed and again where it was
/// lost, and one request at a time on a thread of its own.
final class CoreLink: Sendable {
  /// A request that waits for its turn.
  private typealias Work = @Sendable (Worker) -> Void

  private let waiting = Guarded<[Work]>([])

  init(_ settings: ApplicationSettings) {
    let waiting = waiting
    SystemThread.start(name: "core's link") {
      let worker = Worker(settings)
      while true {
        let work: Work = waiting.wait { $0.isEmpty ? nil : $0.removeFirst() }
        work(worker)
      }
    }
  }

  /// Carries out requests that ask nobody anything, then `body` on the main thread.
  func carryOut<Reply: Sendable>(
    _ requests: @escaping @Sendable (CoreConnection) throws(Failure) -> Reply,
    then body: @escaping @MainActor @Sendable (Result<Reply, Failure>) -> Void
  ) {
    enqueue({ (worker) throws(Failure) in try worker.carryOut(requests) }, then: body)
  }

  /// Carries out a request that the person is asked about, by `prompts`.
  func carryOut<Reply: Sendable>(
    asking prompts: any PromptPresenter, reason: String,
    _ request:
      @escaping @Sendable (CoreConnection, PromptOptions, WindowAgent) throws(Failure) -> Reply,
    then body: @escaping @MainActor @Sendable (Result<Reply, Failure>) -> Void
  ) {
    enqueue(
      { (worker) throws(Failure) in
        let agent = try WindowAgent(prompts, on: { MainLoop.perform($0) })
        return try worker.prompt { (connection) throws(Failure) in
          try request(connection, WindowAgent.options(reason: reason), agent)
        }
      }, then: body)
  }

  private func enqueue<Reply: Sendable>(
    _ work: @escaping @Sendable (Worker) throws(Failure) -> Reply,
    then body: @escaping @MainActor @Sendable (Result<Reply, Failure>) -> Void
  ) {
    waiting.update { queue in
      queue.append { worker in
        let result: Result<Reply, Failure>
        do throws(Failure) { result = .success(try work(worker)) } catch {
          result = .failure(error)
        }
        MainLoop.perform { body(result) }
      }
    }
  }

  /// What the thread of the requests has.
  private final class Worker {
    private let settings: ApplicationSettings
    private let driver: ApplicationDriver?
    private var connection: CoreConnection?
    /// Whether a request has started the driver that the environment names, so that the next one
    /// begins anew: what a person does at one prompt belongs to that one.
    private var hasStartedDriver = false

    init(_ settings: ApplicationSettings) {
      self.settings = settings
      driver = settings.environment.driver.map { ApplicationDriver($0, settings) }
    }

    /// Where the core ended before it took the request, another one is started and asked.
    func carryOut<Reply>(
      _ requests: (CoreConnection) throws(Failure) -> Reply
    ) throws(Failure) -> Reply {
      do throws(Failure) {
        return try requests(try connected())
      } catch {
        guard error.code == .systemCancel else { throw error }
        connection = nil
        return try requests(try connected())
      }
    }

    func prompt<Reply>(
      _ request: (CoreConnection) throws(Failure) -> Reply
    ) throws(Failure) -> Reply {
      let connection = try connected()
      if hasStartedDriver { try driver?.use(on: connection) }
      hasStartedDriver = driver != nil
      return try request(connection)
    }

    private func connected() throws(Failure) -> CoreConnection {
      if let connection, !connection.isClosed { return connection }
      let prints = try driver?.resolved().prints ?? .real
      let access = CoreAccess(
        to: try settings.location(prints: prints), program: try settings.coreProgram())
      let made = try access.connect()
      try driver?.use(on: made)
      hasStartedDriver = false
      connection = made
      return made
    }
  }
}

extension ApplicationSettings {
  /// Those of this program, which asks in its window and never on a terminal.
  static func ofEnvironment() -> ApplicationSettings {
    ApplicationSettings(environment: .current(), applicationName: "authcore-settings")
  }
}
