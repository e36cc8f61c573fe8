package import Protocol

/// The keychain and the keys of the enclave for one caller: through which client, in whose context,
/// and how the owner is asked.
///
/// Any thread; calls block until they are answered. They throw the failure of core or engine, or
/// why no core could be reached.
package struct Keychain: Sendable {
  private let client: ApplicationClient
  private let context: ApplicationContext?
  private let prompting: Prompting
  private let beginsTape: Bool
  private let cancellation: CancellationSignal?

  /// - Parameters:
  ///   - client: the connection to the core.
  ///   - prompting: whether and how the owner is asked for a missing proof.
  ///   - context: keeps the proof, and lends earlier ones; nil if each request stands alone.
  ///   - beginsTape: whether a prompt plays a recording from its beginning.
  ///   - cancellation: lets another thread end a request in the context.
  package init(
    _ client: ApplicationClient = .current, _ prompting: Prompting = Prompting(),
    in context: ApplicationContext? = nil, beginsTape: Bool = false,
    cancelledBy cancellation: CancellationSignal? = nil
  ) {
    self.client = client
    self.context = context
    self.prompting = prompting
    self.beginsTape = beginsTape
    self.cancellation = cancellation
  }

  /// Sends a message for an engine.
  package func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    guard let context else { return try client.ask(message, prompting) }
    return try context.ask(
      message, prompting, isEvaluation: beginsTape,
      cancellation: cancellation ?? CancellationSignal())
  }

  // MARK: Items

  /// All items found, in as many messages as needed; asks nobody.
  package func find(_ request: FindItems) throws(Failure) -> [ItemAttributes] {
    try request.all { (page) throws(Failure) in try ask(page) }
  }

  /// Opens the one item that matches.
  package func open(_ query: ItemQuery) throws(Failure) -> GotItem {
    try ask(GetItem(query: query))
  }

  /// Adds an item; asks nobody.
  /// - Returns: the item as it is stored.
  package func add(
    _ attributes: ItemAttributes, _ secret: consuming SecretBytes
  ) throws(Failure) -> ItemAttributes {
    let message = AddItem(attributes: attributes, secret: secret)
    return try ask(message, for: ItemAdded.self).attributes
  }

  /// Changes the one item that matches, and replaces its secret unless `secret` is nil.
  package func update(
    _ query: ItemQuery, _ changes: ItemChanges, secret: consuming SecretBytes?
  ) throws(Failure) {
    var replacement = SecretBytes(count: 0)
    var replaces = false
    if let secret {
      replacement = secret
      replaces = true
    }
    let message = UpdateItems(
      query: query, changes: changes, allowsSeveral: false, replacesSecret: replaces,
      secret: replacement)
    let _: ItemsChanged = try ask(message)
  }

  /// Removes the one item that matches; asks nobody.
  package func remove(_ query: ItemQuery) throws(Failure) {
    let _: ItemsChanged = try ask(RemoveItems(query: query, allowsSeveral: false))
  }

  // MARK: Keys

  /// The keys that match; asks nobody.
  package func keys(_ query: KeyQuery) throws(Failure) -> [EnclaveKey] {
    try ask(FindKeys(query: query), for: FoundKeys.self).keys
  }

  /// Makes a key; asks nobody.
  package func makeKey(_ creation: CreateKey) throws(Failure) -> EnclaveKey {
    try ask(creation, for: KeyCreated.self).key
  }

  /// Uses the private half of the one key that matches.
  package func use(
    _ query: KeyQuery, to operation: KeyOperation, _ input: [UInt8]
  ) throws(Failure) -> KeyUsed {
    try ask(UseKey(query: query, operation: operation, input: input))
  }

  /// Removes the one key that matches; asks nobody.
  package func removeKey(_ query: KeyQuery) throws(Failure) {
    let _: ItemsChanged = try ask(RemoveKey(query: query))
  }
}
