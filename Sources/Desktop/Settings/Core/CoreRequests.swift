import CoreClient
import Protocol

/// What a page asks of the core within one request of the person's.
///
/// Lives on the thread of the request, for as long as that takes.
struct CoreRequests {
  private let connection: CoreConnection
  private let options: PromptOptions
  private let agent: WindowAgent?

  init(_ connection: CoreConnection, _ options: PromptOptions, _ agent: WindowAgent?) {
    (self.connection, self.options, self.agent) = (connection, options, agent)
  }

  /// How its requests prompt.
  var prompting: PromptOptions { options }

  /// A message for the core.
  func request<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try connection.request(message, agent: agent)
  }

  /// A message for an engine.
  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try connection.ask(message, options, agent: agent)
  }
}

/// What the window shows, as the core says it at one moment.
struct Snapshot: Equatable, Sendable {
  let status: CoreStatus
  let fingers: [Finger]

  /// Asks for all of it.
  static func take(_ connection: CoreConnection) throws(Failure) -> Snapshot {
    let status: CoreStatus = try connection.request(GetStatus())
    let list: FingerList = try connection.ask(ListFingers())
    return Snapshot(status: status, fingers: list.fingers)
  }
}
