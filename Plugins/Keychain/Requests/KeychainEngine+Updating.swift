import EngineKit
import Wire

extension KeychainEngine {
  /// How often a change is tried afresh when another process changes the same rows.
  static let attempts = 3

  /// ``UpdateItems``: every protected item is authorized before anything is sealed, and everything
  /// is sealed before anything is written, in one transaction.
  func update(
    _ request: consuming UpdateItems, for application: String
  ) throws(Failure) -> SecretBytes {
    try Self.requireSupported(request.query.itemClass)
    guard request.replacesSecret || request.changes != ItemChanges() else {
      throw Failure(
        .errSecParam, "the update changes nothing",
        hint: "give a new secret or one of --set-service, --set-account, --set-label")
    }
    for _ in 0..<Self.attempts {
      let candidates = try candidates(for: request.query, of: application)
      try requireUpdatable(candidates, allowsSeveral: request.allowsSeveral)
      if let needed = try evidenceNeeded(for: candidates) {
        return needed.encoded()
      }
      let changed = try resealed(candidates, by: request, for: application)
      if try store.update(changed) {
        return ItemsChanged(count: UInt32(changed.count)).encoded()
      }
    }
    throw Self.overtaken
  }

  static var overtaken: Failure {
    Failure(.busy, "another process keeps changing the same items", hint: "try again in a moment")
  }

  /// All items that match must be open; a damaged one among several is left as it is.
  private func requireUpdatable(
    _ candidates: Candidates, allowsSeveral: Bool
  ) throws(Failure) {
    guard !candidates.readable.isEmpty else { throw try reason(forNone: candidates) }
    guard candidates.count == 1 || allowsSeveral else {
      throw Self.ambiguous(
        candidates, hint: "name the service, account and label of one, or update them with --all")
    }
    guard candidates.closedCount == 0 else { throw Self.closed(candidates.closedCount) }
  }

  /// What the first protected item asks for that the context does not hold, or nil where all would
  /// open (A7, A8).
  private func evidenceNeeded(for candidates: Candidates) throws(Failure) -> EvidenceNeeded? {
    for item in candidates.readable where item.attributes.accessControl != nil {
      guard let sealed = try store.sealedSecret(of: item.row) else { continue }
      if let needed = try enclave.authorize(sealed, as: item.protection) {
        return needed
      }
    }
    return nil
  }

  /// The rows as they will be. The identity of an item stays, so its access control and its secret
  /// do.
  private func resealed(
    _ candidates: Candidates, by request: borrowing UpdateItems, for application: String
  ) throws(Failure) -> [ChangedRow] {
    let now = services.wallClock
    let changed = candidates.readable.map { item in
      var attributes = item.attributes
      attributes.service = request.changes.service ?? attributes.service
      attributes.account = request.changes.account ?? attributes.account
      attributes.label = request.changes.label ?? attributes.label
      attributes.modifiedAt = now
      return (item: item, attributes: attributes)
    }
    let namesStay = request.changes == ItemChanges()
    guard !request.replacesSecret else {
      var rows: [ChangedRow] = []
      for (item, attributes) in changed {
        let sealed = try enclave.seal(
          attributes, request.secret.bytes, identifier: item.row.identifier,
          in: application)
        rows.append(
          ChangedRow(
            previous: item.row, name: namesStay ? nil : sealed.name,
            sealedAttributes: sealed.attributes, sealedSecret: sealed.secret))
      }
      return rows
    }
    let names = try enclave.hashes(of: namesStay ? [] : changed.map(\.attributes), in: application)
    let sealed = try enclave.sealAttributes(
      changed.map { ($0.attributes, $0.item.protection.identity) })
    return changed.indices.map { index in
      ChangedRow(
        previous: changed[index].item.row, name: namesStay ? nil : names[index],
        sealedAttributes: sealed[index])
    }
  }
}
