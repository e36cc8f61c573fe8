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
    self.connection = connection
    self.options = options
    self.agent = agent
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

  /// The item with its secret, after a proof that the owner is there.
  ///
  /// What guards the item asks for one. Where nothing does, the owner proves it all the same, if
  /// there is a passcode: what is shown here is seen by whoever stands before the screen.
  func open(_ item: ItemAttributes) throws(Failure) -> OpenedItem {
    let status: CoreStatus = try request(GetStatus())
    if status.isPasscodeSet, item.accessControl?.presenceAlone == nil {
      let _: Evaluated = try request(Evaluate(policy: .owner, options: options))
    }
    let got: GotItem = try ask(GetItem(query: ItemQuery(naming: item)))
    let attributes = got.attributes
    return OpenedItem(attributes: attributes, secret: HeldSecret(got.takeSecret()))
  }
}
