import Protocol

extension KeychainEngine {
  /// ``GetItem``: the enclave opens the one item against the evidence of the context, or says what
  /// is missing. The same request comes again when that is proved, and finds the row without a search.
  func get(
    _ request: GetItem, for application: String, _ requester: Requester
  ) throws(Failure) -> SecretBytes {
    let group = try group(request.query.group ?? "", of: application)
    if let again = try takeAwaited(request.query, requester),
      let reply = try openAgain(again, request.query, in: group, requester)
    {
      return reply
    }
    let filter = try filter(for: request.query, of: application)
    let found = try store.rowsWithSecret(matching: filter)
    let shared = found.mayHoldShares ? try shared(with: application, for: request.query) : []
    let rows = Self.named(found.rows, by: filter)
    if shared.isEmpty, let sealed = found.secret, let protection = rows[0].protection {
      let opened = try enclave.open(
        sealed, of: rows[0].row, as: protection)
      let item = try single(
        of: candidates(among: rows, opened: [opened.attributes], for: request.query, in: group),
        for: request.query)
      guard item.attributes.itemClass != .certificate else { throw Self.certificateHasNoSecret }
      return try reply(
        item, sealed.count, try enclave.opening(in: opened.takeItemReply()),
        awaiting: AwaitedItem(requester, request.query, rows[0].row, protection))
    }
    var candidates = candidates(
      among: rows, opened: try enclave.openAttributes(of: rows), for: request.query, in: group)
    candidates.add(shared)
    let item = try single(of: candidates, for: request.query)
    guard item.attributes.itemClass != .certificate else { throw Self.certificateHasNoSecret }
    guard let sealed = try store.sealedSecret(of: item.row) else { throw Self.notFound }
    return try reply(
      item, sealed.count, try enclave.open(sealed, as: item.protection))
  }

  /// The reply for the row that the same request found before; nil where it has to be looked for.
  private func openAgain(
    _ again: (item: AwaitedItem, sealed: [UInt8]), _ query: ItemQuery, in group: String,
    _ requester: Requester
  ) throws(Failure) -> SecretBytes? {
    let row = (row: again.item.row, protection: Optional(again.item.protection))
    let opened = try enclave.open(again.sealed, of: row.row, as: again.item.protection)
    let found = candidates(among: [row], opened: [opened.attributes], for: query, in: group)
    guard let item = found.readable.first else { return nil }
    return try reply(
      item, again.sealed.count, try enclave.opening(in: opened.takeItemReply()),
      awaiting: again.item)
  }

  private func reply(
    _ item: Candidates.Readable, _ sealedCount: Int, _ opening: consuming EnclaveLink.Opening,
    awaiting: AwaitedItem? = nil
  ) throws(Failure) -> SecretBytes {
    switch consume opening {
    case .secret(let secret):
      return GotItem(attributes: item.attributes, secret: secret).encoded(
        capacity: 512 + item.row.sealedAttributes.count + sealedCount)
    case .evidenceNeeded(let needed):
      if let awaiting { try keep(awaiting) }
      return needed.naming(item.attributes.nameForPrompts).encoded()
    }
  }

  /// The one readable item, or why there is not exactly one.
  func single(
    of candidates: Candidates, for query: ItemQuery,
    otherwise hint: String = "name its service, account and label"
  ) throws(Failure) -> Candidates.Readable {
    guard let first = candidates.readable.first else {
      throw try reason(forNone: candidates, of: query)
    }
    guard candidates.count == 1 else { throw Self.ambiguous(candidates, hint: hint) }
    return first
  }

  /// Several items match where one is meant; the message lists them.
  static func ambiguous(_ candidates: Candidates, hint: String) -> Failure {
    let longestList = 8
    var names = candidates.readable.prefix(longestList).map { $0.attributes.nameForPeople }
    let unlisted = candidates.readable.count - names.count
    if unlisted > 0 { names.append("\(unlisted) more") }
    let unreadable = candidates.unreadable
    if unreadable.newerCount > 0 { names.append("\(unreadable.newerCount) newer than the keybag") }
    if !unreadable.damaged.isEmpty { names.append("\(unreadable.damaged.count) damaged") }
    return Failure(
      .ambiguous, "\(candidates.count) items match: \(names.joined(separator: ", "))", hint: hint)
  }
}

extension EvidenceNeeded {
  /// The same for what is called so.
  func naming(_ item: String?) -> EvidenceNeeded {
    EvidenceNeeded(accessControl: accessControl, held: held, item: item)
  }
}

extension ItemAttributes {
  /// What the owner is asked to open, in the fewest words that tell it; empty where nothing does. Shown
  /// with marks for what a terminal would obey.
  var nameForPrompts: String {
    let name = [label, service, server, account].first { !$0.isEmpty } ?? ""
    let longest = 4000
    return name.utf8.count <= longest
      ? name : String(decoding: name.utf8.prefix(longest), as: UTF8.self)
  }

  /// Service or server, account and label on one line, cut where they are long, without characters a terminal
  /// would obey.
  var nameForPeople: String {
    func shown(_ text: String) -> String {
      let cut = text.count > 40 ? text.prefix(39) + "…" : text[...]
      return String(
        String.UnicodeScalarView(
          cut.unicodeScalars.map { scalar in
            let isObeyed =
              scalar.properties.generalCategory == .control
              || scalar.properties.generalCategory == .format
            return isObeyed ? "\u{FFFD}" : scalar
          }))
    }
    let name = [service, server, account].filter { !$0.isEmpty }.map(shown).joined(separator: "/")
    let label = self.label.isEmpty ? "" : "“\(shown(self.label))”"
    let both = [name, label].filter { !$0.isEmpty }.joined(separator: " ")
    return both.isEmpty ? "(without a name)" : both
  }
}
