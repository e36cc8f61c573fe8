import EngineKit
import Protocol

extension KeychainEngine {
  /// Tries of a change while another process changes the same rows.
  static let attempts = 3

  /// ``UpdateItems``: every protected item is authorized and everything is sealed before anything
  /// is written, in one transaction.
  func update(
    _ request: consuming UpdateItems, for application: String
  ) throws(Failure) -> SecretBytes {
    guard request.replacesSecret || request.changes != ItemChanges() else {
      throw Failure(
        .errSecParam, "the update changes nothing",
        hint: """
          give a new secret or one of --set-service, --set-account, --set-label, --set-access
          """)
    }
    for _ in 0..<Self.attempts {
      let candidates = try candidates(for: request.query, of: application)
      try requireUpdatable(candidates, of: request.query, allowsSeveral: request.allowsSeveral)
      try Self.require(request.revision, of: candidates.readable.map(\.row))
      let changed: [ChangedRow]
      switch try changes(of: candidates, by: request, for: application) {
      case .rows(let rows): changed = rows
      case .evidenceNeeded(let needed):
        let only = candidates.count == 1 ? candidates.readable.first : nil
        return needed.naming(only?.attributes.nameForPrompts).encoded()
      }
      if try items.update(changed) {
        return ItemsChanged(count: UInt32(changed.count)).encoded()
      }
    }
    throw Self.overtaken
  }

  /// Refuses to change what was written since it was read.
  private static func require(_ revision: UInt64?, of rows: [ItemRow]) throws(Failure) {
    guard let revision, !rows.allSatisfy({ $0.revisionForClients == revision }) else { return }
    throw Failure(
      .busy, "the item was changed after it was read; nothing was done",
      hint: "try again: the item is read anew")
  }

  static var overtaken: Failure {
    Failure(.busy, "another process keeps changing the same items", hint: "try again in a moment")
  }

  /// Updates open items; a damaged one among several is left alone.
  private func requireUpdatable(
    _ candidates: Candidates, of query: ItemQuery, allowsSeveral: Bool
  ) throws(Failure) {
    guard !candidates.readable.isEmpty else { throw try reason(forNone: candidates, of: query) }
    guard candidates.count == 1 || allowsSeveral else {
      throw Self.ambiguous(
        candidates, hint: "name the service, account and label of one, or update them with --all")
    }
  }

  /// The evidence that the first protected item needs and the context lacks, or nil (A7, A8).
  private func evidenceNeeded(for candidates: Candidates) throws(Failure) -> EvidenceNeeded? {
    for item in candidates.readable where item.attributes.accessControl != nil {
      guard let sealed = try items.sealedSecret(of: item.row) else { continue }
      if let needed = try enclave.authorize(sealed, as: item.protection) {
        return needed
      }
    }
    return nil
  }

  private enum Changes {
    case rows([ChangedRow])
    case evidenceNeeded(EvidenceNeeded)
  }

  private func changes(
    of candidates: Candidates, by request: borrowing UpdateItems, for application: String
  ) throws(Failure) -> Changes {
    let now = services.wallClock
    var changed: [ChangedItem] = []
    for item in candidates.readable {
      try request.changes.requireApplicable(to: item.attributes.itemClass)
      if item.attributes.itemClass == .certificate {
        try Self.requireOfCertificate(request.changes, replacesSecret: request.replacesSecret)
      }
      var attributes = request.changes.applied(to: item.attributes)
      if let named = request.changes.group {
        attributes.group = try group(named, of: application)
        // Applications were granted an item of the other group.
        if !AccessGroup.isSame(attributes.group, item.attributes.group) {
          attributes.sharedWith = []
        }
      }
      attributes.modifiedAt = now
      guard attributes.accessControl == nil || attributes.accessibility.isThisDeviceOnly else {
        throw Failure(
          .errSecParam, "an item with access control never leaves this device, and the class may",
          hint: "choose the class \(attributes.accessibility.onThisDeviceOnly.name)")
      }
      changed.append(ChangedItem(item: item, attributes: attributes))
    }
    if request.changes.changesProtection, !request.replacesSecret {
      return try resealed(changed)
    }
    if let needed = try evidenceNeeded(for: candidates) { return .evidenceNeeded(needed) }
    guard !request.replacesSecret else {
      var rows: [ChangedRow] = []
      for change in changed {
        let sealed = try enclave.seal(
          change.attributes, request.secret.bytes, identifier: change.item.row.identifier,
          in: change.attributes.group)
        rows.append(change.row(sealed))
      }
      return .rows(rows)
    }
    let renamed = changed.filter { !$0.namesStay }
    let group = try group(request.query.group ?? "", of: application)
    var names = try enclave.hashes(of: renamed.map(\.attributes), in: group).makeIterator()
    let sealed = try enclave.sealAttributes(
      changed.map { ($0.attributes, $0.item.protection.identity) })
    return .rows(
      zip(changed, sealed).map { change, sealed in
        ChangedRow(
          previous: change.item.row, name: change.namesStay ? nil : names.next(),
          sealedAttributes: sealed)
      })
  }

  /// The secrets stay under another protection: the enclave checks the present one, and seals them
  /// again.
  private func resealed(_ changed: [ChangedItem]) throws(Failure) -> Changes {
    var rows: [ChangedRow] = []
    for change in changed {
      guard change.attributes.itemClass != .certificate else {
        let sealed = try enclave.seal(
          certificate: try certificate(of: change.item), change.attributes,
          identifier: change.item.row.identifier)
        rows.append(change.row(sealed))
        continue
      }
      guard let sealed = try items.sealedSecret(of: change.item.row) else { throw Self.notFound }
      switch try enclave.reseal(
        sealed, of: change.item.row, as: change.item.protection, with: change.attributes,
        in: change.attributes.group)
      {
      case .sealed(let sealed): rows.append(change.row(sealed))
      case .evidenceNeeded(let needed): return .evidenceNeeded(needed)
      }
    }
    return .rows(rows)
  }
}

/// An item, and its attributes after the change.
private struct ChangedItem {
  let item: Candidates.Readable
  let attributes: ItemAttributes

  var namesStay: Bool {
    let itemClass = attributes.itemClass
    let hashed = itemClass.primaryKey.union(NameColumn.allCases.map { $0.attribute(of: itemClass) })
    return AccessGroup.isSame(attributes.group, item.attributes.group)
      && attributes.isSynchronizable == item.attributes.isSynchronizable
      && hashed.allSatisfy { attributes.values[$0] == item.attributes.values[$0] }
  }

  func row(_ sealed: EnclaveLink.SealedRow) -> ChangedRow {
    ChangedRow(
      previous: item.row, name: namesStay ? nil : sealed.name,
      sealedAttributes: sealed.attributes, sealedSecret: sealed.sealedSecret,
      protection: (attributes.accessibility, attributes.accessControl),
      shares: attributes.sharedWith.isEmpty && !item.attributes.sharedWith.isEmpty ? [] : nil)
  }
}

extension KeychainEngine {
  /// ``RemoveItems``: removes open items without authentication, and says nothing about closed
  /// ones. Damaged items can be removed; items that are newer than the enclave's keybag cannot.
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
      try Self.require(request.revision, of: rows)
      if try items.remove(rows) {
        return ItemsChanged(count: UInt32(clamping: rows.count)).encoded()
      }
    }
    throw Self.overtaken
  }

  /// ``RemovePasscodeBoundItems``: the enclave has destroyed their keys.
  func removePasscodeBound(_ request: RemovePasscodeBoundItems) throws(Failure) -> SecretBytes {
    let identity = try enclave.identity(seenBy: "").enclave
    // The passcode is removed, also of a device whose keychain is gone with all its rows.
    guard try items.keychain.loss(to: identity) == nil else {
      return ItemsChanged(count: 0).encoded()
    }
    try enclave.identify()
    return ItemsChanged(count: UInt32(clamping: try items.removePasscodeBound())).encoded()
  }
}

extension ItemQuery {
  /// Whether it matches every item that the application reaches, synchronizable or not.
  fileprivate var isEverything: Bool {
    var named = self
    named.isSynchronizable = ItemQuery().isSynchronizable
    return named == ItemQuery()
  }
}
