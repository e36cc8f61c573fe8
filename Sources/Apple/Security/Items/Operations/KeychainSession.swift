import CoreClient
import Protocol

/// The keychain as one request of SecItem reaches it: whose context it is in, and what the owner is
/// told.
struct KeychainSession {
  private let client: ApplicationClient
  private let context: ApplicationContext?
  private let prompting: Prompting
  /// Whether what wants a proof is left out.
  let isSkipping: Bool
  /// How the context of the request lends itself to references.
  let authentication: _Authentication?
  /// Whether the next prompt begins what a person does for this request: a recording is played from
  /// its beginning then.
  private let isBeginning: Bool

  init(_ request: ItemRequest) {
    self.init(
      client: .current, context: request.authentication?.context, prompting: request.prompting,
      isSkipping: request.interaction == .skipped, authentication: request.authentication,
      isBeginning: false)
  }

  private init(
    client: ApplicationClient, context: ApplicationContext?, prompting: Prompting,
    isSkipping: Bool, authentication: _Authentication?, isBeginning: Bool
  ) {
    self.client = client
    self.context = context
    self.prompting = prompting
    self.isSkipping = isSkipping
    self.authentication = authentication
    self.isBeginning = isBeginning
  }

  /// The session for the items of a request that concerns several: what is proved for one of them
  /// serves the others, and nothing after the request. `isFirst` is of the first of them.
  func forSeveral(_ shared: ApplicationContext?, isFirst: Bool) -> KeychainSession {
    guard context == nil, let shared else { return self }
    return KeychainSession(
      client: client, context: shared, prompting: prompting, isSkipping: isSkipping,
      authentication: authentication, isBeginning: isFirst)
  }

  /// A context that lives as long as the request; nil where the request has one.
  func contextForSeveral() -> ApplicationContext? {
    context == nil ? ApplicationContext(client) : nil
  }

  /// Sends a message for an engine.
  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    guard let context else { return try client.ask(message, prompting) }
    return try context.ask(message, prompting, isEvaluation: isBeginning)
  }
}
