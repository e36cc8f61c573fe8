import ClientProtocol
import EngineKit
import Wire

extension Call {
  /// Adds an item, without a prompt.
  func addItem(_ request: consuming ClientProtocol.AddItem) throws(Failure) -> SecretBytes {
    let attributes = request.attributes
    let secret = SharedSecret(request.secret.duplicate())
    return try reply { () throws(Failure) in
      EngineKit.AddItem(
        application: application, attributes: attributes, secret: secret.take()
      ).encoded()
    } with: { (added: consuming EngineKit.ItemAdded) in
      ClientProtocol.ItemAdded(attributes: added.attributes)
    }
  }

  /// Finds items, without a prompt and without their secrets.
  func findItems(_ request: ClientProtocol.FindItems) throws(Failure) -> SecretBytes {
    try reply { () throws(Failure) in
      EngineKit.FindItems(application: application, query: request.query).encoded()
    } with: { (found: consuming EngineKit.FoundItems) in
      ClientProtocol.FoundItems(items: found.items)
    }
  }

  /// Opens one item, with the evidence it asks for.
  func getItem(_ request: ClientProtocol.GetItem) throws(Failure) -> SecretBytes {
    try authenticated(request.options) { context in
      EngineKit.GetItem(application: application, context: context, query: request.query)
        .encoded()
    } with: { (got: consuming EngineKit.GotItem) in
      ClientProtocol.GotItem(attributes: got.attributes, secret: got.secret.duplicate())
    }
  }

  /// Changes items, with the evidence they ask for.
  func updateItems(_ request: consuming ClientProtocol.UpdateItems) throws(Failure) -> SecretBytes {
    let (query, changes, options) = (request.query, request.changes, request.options)
    let (allowsSeveral, replacesSecret) = (request.allowsSeveral, request.replacesSecret)
    let secret = SharedSecret(request.secret.duplicate())
    return try authenticated(options) { context in
      EngineKit.UpdateItems(
        application: application, context: context, query: query, changes: changes,
        allowsSeveral: allowsSeveral, replacesSecret: replacesSecret, secret: secret.duplicate()
      ).encoded()
    } with: { (changed: consuming EngineKit.ItemsChanged) in
      ClientProtocol.ItemsChanged(count: changed.count)
    }
  }

  /// Removes items, without a prompt.
  func removeItems(_ request: ClientProtocol.RemoveItems) throws(Failure) -> SecretBytes {
    try reply { () throws(Failure) in
      EngineKit.RemoveItems(
        application: application, query: request.query, allowsSeveral: request.allowsSeveral
      ).encoded()
    } with: { (removed: consuming EngineKit.ItemsChanged) in
      ClientProtocol.ItemsChanged(count: removed.count)
    }
  }

  // MARK: The keychain's turn

  /// What the keychain made of a request.
  private enum KeychainOutcome: ~Copyable {
    case reply(SecretBytes)
    case needed(EvidenceNeeded)
  }

  /// Asks the keychain, and makes the client's reply of its answer, within one turn: copies of a
  /// secret on its way exist for one request at a time.
  private func outcome<Answer: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    context: UInt64?, _ make: () throws(Failure) -> SecretBytes,
    _ convert: (consuming Answer) -> Reply
  ) throws(Failure) -> KeychainOutcome {
    try core.keychain.ask(for: self, context: context, make) { (bytes) throws(Failure) in
      if EngineAnswer.number(of: bytes) == EvidenceNeeded.number {
        return .needed(try EngineAnswer.decode(bytes, from: "keychain"))
      }
      // What the client is sent is as long as this, but for a few bytes.
      try holdMemory(forReply: bytes.count)
      let answer: Answer = try EngineAnswer.decode(bytes, from: "keychain")
      return .reply(ClientEnvelope.encode(convert(answer), request: identifier))
    }
  }

  /// Asks for what needs no evidence.
  private func reply<Answer: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ make: () throws(Failure) -> SecretBytes, with convert: (consuming Answer) -> Reply
  ) throws(Failure) -> SecretBytes {
    let outcome = try outcome(context: nil, make, convert)
    switch consume outcome {
    case .reply(let reply): return reply
    case .needed:
      throw EngineAnswer.unreadable("keychain", reason: "evidence for what needs none")
    }
  }

  /// Asks the keychain; while it wants evidence, has the person prove it and asks again, all in one context. Most items want none, so
  /// the context is made with the first that does.
  private func authenticated<Answer: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ options: PromptOptions, _ make: (UInt64) -> SecretBytes,
    with convert: (consuming Answer) -> Reply
  ) throws(Failure) -> SecretBytes {
    let none = OpenItem.noContext
    var needed: EvidenceNeeded
    let first = try outcome(context: none, { () throws(Failure) in make(none) }, convert)
    switch consume first {
    case .reply(let reply): return reply
    case .needed(let evidence): needed = evidence
    }
    return try withContext { (context) throws(Failure) in
      for _ in 0..<core.limits.evidenceRounds {
        let request = PolicyRequest.access(needed.accessControl, held: needed.held)
        _ = try evaluate(moment(request, options), context: context, options: options)
        let next = try outcome(
          context: context, { () throws(Failure) in make(context) }, convert)
        switch consume next {
        case .reply(let reply): return reply
        case .needed(let more): needed = more
        }
      }
      throw Failure(
        .errSecAuthFailed, "the item asks for more than can be proved",
        hint: "its access control may ask for a set of fingers that is no longer enrolled")
    }
  }
}
