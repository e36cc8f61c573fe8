import Protocol

extension KeychainEngine {
  /// ``RemoveItems``: without authentication, but only what is open; of what is closed nothing is
  /// removed, and nothing is said. What cannot be read because it is damaged can be removed; what is
  /// newer than the enclave's keybag cannot.
  func remove(
    _ request: RemoveItems, for application: String
  ) throws(Failure) -> SecretBytes {
    guard !request.query.isEverything else {
      throw Failure(
        .errSecParam, "nothing says which items are to be removed",
        hint: "name a service, an account, a label or another attribute")
    }
    for _ in 0..<Self.attempts {
      let candidates = try candidates(for: request.query, of: application)
      let rows = candidates.readable.map(\.row) + candidates.unreadable.damaged
      guard !rows.isEmpty else { throw try reason(forNone: candidates, of: request.query) }
      guard candidates.count == 1 || request.allowsSeveral else {
        throw Self.ambiguous(
          candidates,
          hint: "name the service, account and label of one, or remove them with --all")
      }
      guard candidates.unreadable.newerCount == 0 else { throw Self.newer }
      if try store.remove(rows) {
        return ItemsChanged(count: UInt32(clamping: rows.count)).encoded()
      }
    }
    throw Self.overtaken
  }

  /// ``RemovePasscodeBoundItems``: the enclave has destroyed what would open them.
  func removePasscodeBound(_ request: RemovePasscodeBoundItems) throws(Failure) -> SecretBytes {
    try enclave.identify()
    return ItemsChanged(count: UInt32(clamping: try store.removePasscodeBound())).encoded()
  }
}

extension ItemQuery {
  /// Whether it names nothing: it means every item that the application reaches, synchronizable or
  /// not.
  fileprivate var isEverything: Bool {
    var named = self
    named.isSynchronizable = ItemQuery().isSynchronizable
    return named == ItemQuery()
  }
}
