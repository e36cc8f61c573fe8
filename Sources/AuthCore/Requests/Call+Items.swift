import ClientProtocol
import EngineKit
import Wire

extension Call {
  /// Adds an item, without a prompt.
  func addItem(
    _ request: consuming ClientProtocol.AddItem
  ) throws(Failure) -> ClientProtocol.ItemAdded {
    let added: EngineKit.ItemAdded = try core.keychain.ask(
      EngineKit.AddItem(
        application: application, attributes: request.attributes,
        secret: request.secret.duplicate()), enclave: enclave)
    return ClientProtocol.ItemAdded(attributes: added.attributes)
  }

  /// Finds items, without a prompt and without their secrets.
  func findItems(
    _ request: ClientProtocol.FindItems
  ) throws(Failure) -> ClientProtocol.FoundItems {
    let found: EngineKit.FoundItems = try core.keychain.ask(
      EngineKit.FindItems(application: application, query: request.query), enclave: enclave)
    return ClientProtocol.FoundItems(items: found.items)
  }

  /// Opens one item, with the evidence it asks for.
  func getItem(_ request: ClientProtocol.GetItem) throws(Failure) -> ClientProtocol.GotItem {
    let reply = try authenticated(request.options) { (context) throws(Failure) in
      try core.keychain.call(
        EngineKit.GetItem(application: application, context: context, query: request.query),
        enclave: enclave, context: context)
    }
    let got: EngineKit.GotItem = try EngineAnswer.decode(reply, from: "keychain")
    return ClientProtocol.GotItem(attributes: got.attributes, secret: got.secret.duplicate())
  }

  /// Changes items, with the evidence they ask for.
  func updateItems(
    _ request: consuming ClientProtocol.UpdateItems
  ) throws(Failure) -> ClientProtocol.ItemsChanged {
    let (query, changes) = (request.query, request.changes)
    let (allowsSeveral, replacesSecret) = (request.allowsSeveral, request.replacesSecret)
    let secret = PassedSecret(request.secret.duplicate())
    let reply = try authenticated(request.options) { (context) throws(Failure) in
      try core.keychain.call(
        EngineKit.UpdateItems(
          application: application, context: context, query: query, changes: changes,
          allowsSeveral: allowsSeveral, replacesSecret: replacesSecret,
          secret: secret.duplicate()), enclave: enclave, context: context)
    }
    let changed: EngineKit.ItemsChanged = try EngineAnswer.decode(reply, from: "keychain")
    return ClientProtocol.ItemsChanged(count: changed.count)
  }

  /// Removes items, without a prompt.
  func removeItems(
    _ request: ClientProtocol.RemoveItems
  ) throws(Failure) -> ClientProtocol.ItemsChanged {
    let removed: EngineKit.ItemsChanged = try core.keychain.ask(
      EngineKit.RemoveItems(
        application: application, query: request.query, allowsSeveral: request.allowsSeveral),
      enclave: enclave)
    return ClientProtocol.ItemsChanged(count: removed.count)
  }

  /// Asks the keychain; while it wants evidence, has the person prove it and asks again, all in one context. Most items want none, so
  /// the context is made with the first that does.
  private func authenticated(
    _ options: PromptOptions, _ ask: (UInt64) throws(Failure) -> SecretBytes
  ) throws(Failure) -> SecretBytes {
    let first = try ask(OpenItem.noContext)
    guard EngineAnswer.number(of: first) == EvidenceNeeded.number else { return first }
    var needed: EvidenceNeeded = try EngineAnswer.decode(first, from: "keychain")
    return try withContext { (context) throws(Failure) in
      for _ in 0..<core.limits.evidenceRounds {
        var evaluation = evaluation(
          .access(needed.accessControl, held: needed.held), context: context, options: options)
        _ = try evaluation.run()
        let reply = try ask(context)
        guard EngineAnswer.number(of: reply) == EvidenceNeeded.number else { return reply }
        needed = try EngineAnswer.decode(reply, from: "keychain")
      }
      throw Failure(
        .errSecAuthFailed, "the item asks for more than can be proved",
        hint: "its access control may ask for a set of fingers that is no longer enrolled")
    }
  }
}
