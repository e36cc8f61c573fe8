import Protocol

extension KeychainEngine {
  /// ``ShareItem``: what is granted stands in the sealed attributes, where only who has the enclave
  /// seal them can put it; beside them lie hashes by which the other application finds the row.
  func share(_ request: ShareItem, for application: String) throws(Failure) -> SecretBytes {
    try requireShareable(request, of: application)
    for _ in 0..<Self.attempts {
      let item = try single(
        of: candidates(for: request.query, of: application), for: request.query)
      var attributes = item.attributes
      attributes.sharedWith.removeAll { AccessGroup.isSame($0, request.application) }
      if request.isShared {
        attributes.sharedWith.append(request.application)
        guard attributes.sharedWith.count <= ItemAttributes.mostShares else {
          throw Failure(
            .errSecParam,
            "the item is shared with \(ItemAttributes.mostShares) applications, and no more can be",
            hint: "end one of them (authcore item share --end), or move the item to a group")
        }
        if let needed = try enclave.requirePresence() { return needed.encoded() }
      } else if attributes.sharedWith.count == item.attributes.sharedWith.count {
        throw Failure(
          .errSecItemNotFound,
          "the item is not shared with \(request.application.withoutSteering)",
          hint: "authcore item list --json shows with whom it is")
      }
      if try store.update([try reshared(item, attributes)]) {
        return ItemAdded(attributes: attributes).encoded()
      }
    }
    throw Self.overtaken
  }

  private func requireShareable(
    _ request: ShareItem, of application: String
  ) throws(Failure) {
    guard request.query != ItemQuery() else {
      throw Failure(
        .errSecParam, "nothing says which item is to be shared",
        hint: "name a service, an account, a label or another attribute")
    }
    guard AccessGroup.isApplication(request.application),
      !AccessGroup.isSame(request.application, application)
    else {
      throw Failure(
        .errSecParam, "\(request.application.withoutSteering) is no other application",
        hint: "name the canonical path of its executable")
    }
    let group = try group(request.query.group ?? "", of: application)
    guard AccessGroup.isSame(group, application) else {
      throw Failure(
        .errSecParam, "every application that names the group \(group) reaches its items already",
        hint: "have the other application name the group")
    }
  }

  /// A row whose item is shared with others than before.
  func reshared(
    _ item: Candidates.Readable, _ attributes: ItemAttributes
  ) throws(Failure) -> ChangedRow {
    let sealed = try enclave.sealAttributes([(attributes, item.protection.identity)])
    guard let sealed = sealed.first else { throw EnclaveLink.mismatch }
    return ChangedRow(
      previous: item.row, name: nil, sealedAttributes: sealed,
      shares: try enclave.hashes(ofShares: attributes.sharedWith))
  }

  /// The items of other applications that a query of this one means, as far as they are shared with
  /// it and open. Of what is closed or damaged nothing is said: it is not this application's.
  ///
  /// A query that names a group asks for nothing of others.
  func shared(
    with application: String, for query: ItemQuery
  ) throws(Failure) -> [Candidates.Readable] {
    guard query.group == nil, try store.holdsShares() else { return [] }
    let hashes = try enclave.hashes(ofShares: [application])
    let rows = try store.rows(sharedWith: hashes).map { row, group in
      (row: row, protection: row.protection(group: group))
    }
    var items: [Candidates.Readable] = []
    for ((row, protection), opened) in zip(rows, try enclave.openAttributes(of: rows)) {
      guard case .value(var attributes) = opened, let protection, row.agrees(with: attributes),
        attributes.sharedWith.contains(where: { AccessGroup.isSame($0, application) }),
        query.matches(attributes)
      else { continue }
      attributes.sharedWith = []
      items.append(.init(row: row, protection: protection, attributes: attributes))
    }
    return items
  }
}
