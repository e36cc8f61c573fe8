import Protocol

/// Names of access groups. An application's own group has the application's name; its users choose
/// the name of any other. Names are compared by their bytes (K2): texts that Unicode takes for
/// equal are two.
enum AccessGroup {
  /// The name that is hashed for a group. No shared group is hashed like an application's.
  ///
  /// The command's own group is hashed as that of the core's user, as were the items of all
  /// programs when the core did not tell them apart, so that these rows stay as they are.
  static func hashedName(_ name: String, ofUser user: UInt32) -> String {
    if isSame(name, commandApplication) { return ofUsers + "\(user)" }
    return isApplication(name) ? name : "group:" + name
  }

  /// Whether the core can give an application this name: a path, or the command's name. An earlier
  /// core named every program of a user by the user.
  static func isApplication(_ name: String) -> Bool {
    isSame(name, commandApplication) || name.utf8.first == UInt8(ascii: "/")
      || name.utf8.starts(with: ofUsers.utf8)
  }

  static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }

  private static let ofUsers = "uid:"
}

extension KeychainEngine {
  /// - Throws: `errSecMissingEntitlement` for a client that the core cannot identify.
  static func application(of requester: Requester) throws(Failure) -> String {
    guard AccessGroup.isApplication(requester.application) else {
      throw Failure(
        .errSecMissingEntitlement,
        "no keychain is kept for a program of which the kernel does not tell where it lies",
        hint: """
          the program has no file or lets nobody look into it (PR_SET_DUMPABLE), or the core was \
          started in a sandbox; for the last: authcore quit, and start it outside
          """)
    }
    return requester.application
  }

  /// The group that an application means: its own by default. Any other name that is no
  /// application's stands for a group that every program may name.
  /// - Throws: `errSecMissingEntitlement` for another application's own group, `errSecParam` for an
  ///   unreadable name.
  func group(_ named: String, of application: String) throws(Failure) -> String {
    guard !named.isEmpty, !AccessGroup.isSame(named, application) else { return application }
    guard !AccessGroup.isApplication(named) else {
      throw Failure(
        .errSecMissingEntitlement,
        "the items of \(named.withoutSteering) are not this application's",
        hint: """
          leave the group out for the application's own; for items of several programs choose a name \
          that is no path
          """)
    }
    guard named.withoutSteering == named else {
      throw Failure(
        .errSecParam, "the group \(named.withoutSteering) has a name that cannot be read",
        hint: "choose one without control characters and marks of writing direction")
    }
    return named
  }
}

extension KeychainEngine {
  /// ``ShareItem``: the grant is in the sealed attributes, which only the enclave can write; beside
  /// them lie hashes by which the other application finds the row.
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
      if try items.update([try reshared(item, attributes)]) {
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
        .errSecParam, "\(request.application.withoutSteering) is not another application",
        hint: "name the canonical path of its executable")
    }
    let group = try group(request.query.group ?? "", of: application)
    guard AccessGroup.isSame(group, application) else {
      throw Failure(
        .errSecParam, "every application that names the group \(group) reaches its items already",
        hint: "have the other application name the group")
    }
  }

  func reshared(
    _ item: Candidates.Readable, _ attributes: ItemAttributes
  ) throws(Failure) -> ChangedRow {
    let sealed = try enclave.sealAttributes([(attributes, item.protection.identity)])
    guard let sealed = sealed.first else { throw EnclaveLink.mismatch }
    return ChangedRow(
      previous: item.row, name: nil, sealedAttributes: sealed,
      shares: try enclave.hashes(ofShares: attributes.sharedWith))
  }

  /// The open items of other applications that are shared with this one and match its query. Says
  /// nothing about closed or damaged ones, which are not this application's.
  ///
  /// A query that names a group does not include them.
  func shared(
    with application: String, for query: ItemQuery
  ) throws(Failure) -> [Candidates.Readable] {
    guard query.group == nil, try items.holdsShares() else { return [] }
    return try allShared(with: application).filter { query.matches($0.attributes) }.map {
      var attributes = $0.attributes
      attributes.sharedWith = []
      return .init(row: $0.row, protection: $0.protection, attributes: attributes)
    }
  }

  /// The items of all groups but `own` that are shared with an application and open.
  func allShared(
    with application: String, exceptIn own: [UInt8]? = nil
  ) throws(Failure) -> [Candidates.Readable] {
    let hashes = try enclave.hashes(ofShares: [application])
    let rows = try items.rows(sharedWith: hashes).filter { $0.group != own }
    var items: [Candidates.Readable] = []
    for (named, opened) in zip(rows, try enclave.openAttributes(of: rows)) {
      guard case .value(let attributes) = opened, let protection = named.protection,
        named.row.agrees(with: attributes),
        attributes.sharedWith.contains(where: { AccessGroup.isSame($0, application) })
      else { continue }
      items.append(.init(row: named.row, protection: protection, attributes: attributes))
    }
    return items
  }
}
