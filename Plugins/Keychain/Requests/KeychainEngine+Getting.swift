import Protocol

extension KeychainEngine {
  /// ``GetItem``: the enclave opens the item against the evidence of the context, or says what is
  /// missing. The same request then comes again with the evidence, and finds the row without a
  /// search.
  func get(
    _ request: GetItem, for application: String, _ requester: Requester
  ) throws(Failure) -> SecretBytes {
    let group = try group(request.query.group ?? "", of: application)
    if let again = try awaited.take(request.query, requester),
      let reply = try openAgain(again, request.query, in: group)
    {
      return reply
    }
    let filter = try filter(for: request.query, of: application)
    let found = try items.rowsWithSecret(matching: filter)
    let shared = found.mayHoldShares ? try shared(with: application, for: request.query) : []
    if shared.isEmpty, let sealed = found.sealedSecret, let protection = found.rows[0].protection {
      let opened = try enclave.open(sealed, of: found.rows[0].row, as: protection)
      let item = try single(
        of: candidates(
          among: found.rows, opened: [opened.attributes], for: request.query, in: group),
        for: request.query)
      guard item.attributes.itemClass != .certificate else { throw Self.certificateHasNoSecret }
      return try reply(
        item, sealed.count, try enclave.opening(in: opened.takeItemReply()),
        awaiting: .init(requester, request.query, found.rows[0], protection))
    }
    var candidates = candidates(
      among: found.rows, opened: try enclave.openAttributes(of: found.rows), for: request.query,
      in: group)
    candidates.add(shared)
    let item = try single(of: candidates, for: request.query)
    guard item.attributes.itemClass != .certificate else { throw Self.certificateHasNoSecret }
    guard let sealed = try items.sealedSecret(of: item.row) else { throw Self.notFound }
    return try reply(
      item, sealed.count, try enclave.open(sealed, as: item.protection))
  }

  /// The reply for the row that the same request found before, or nil to search for it.
  private func openAgain(
    _ again: (found: AwaitedItem.Found, sealed: [UInt8]), _ query: ItemQuery, in group: String
  ) throws(Failure) -> SecretBytes? {
    let named = again.found.named
    let opened = try enclave.open(again.sealed, of: named.row, as: again.found.protection)
    let found = candidates(among: [named], opened: [opened.attributes], for: query, in: group)
    guard let item = found.readable.first else { return nil }
    return try reply(
      item, again.sealed.count, try enclave.opening(in: opened.takeItemReply()),
      awaiting: again.found)
  }

  private func reply(
    _ item: Candidates.Readable, _ sealedCount: Int, _ opening: consuming EnclaveLink.Opening,
    awaiting found: AwaitedItem.Found? = nil
  ) throws(Failure) -> SecretBytes {
    switch consume opening {
    case .secret(let secret):
      return GotItem(
        attributes: item.attributes, secret: secret, revision: item.row.revisionForClients
      ).encoded(capacity: 512 + item.row.sealedAttributes.count + sealedCount)
    case .evidenceNeeded(let needed):
      if let found { try awaited.keep(found) }
      return needed.naming(item.attributes.nameForPrompts).encoded()
    }
  }

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

  /// Several items match; the message lists them.
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
  func naming(_ item: String?) -> EvidenceNeeded {
    EvidenceNeeded(accessControl: accessControl, held: held, item: item, identity: identity)
  }
}

extension ItemAttributes {
  /// The name that prompts show: the first that is not empty. Prompts mark characters that a
  /// terminal would obey.
  var nameForPrompts: String {
    let name = [label, service, server, account].first { !$0.isEmpty } ?? ""
    let longest = 4000
    return name.utf8.count <= longest
      ? name : String(decoding: name.utf8.prefix(longest), as: UTF8.self)
  }

  /// Service or server, account and label on one line, cut if long, without characters that a
  /// terminal would obey.
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

/// The row of an item that needs a proof first: the same request comes again with the evidence, and
/// finds the row here.
///
/// The row is sealed and hashed. It serves the same requester and query until anything in the database
/// changes.
final class AwaitedItem {
  struct Found {
    let requester: Requester
    let query: ItemQuery
    let named: NamedRow
    let protection: ItemProtection

    init(
      _ requester: Requester, _ query: ItemQuery, _ named: NamedRow, _ protection: ItemProtection
    ) {
      (self.requester, self.query, self.named, self.protection) =
        (requester, query, named, protection)
    }
  }

  private let items: ItemStore
  private var kept: (found: Found, moment: KeychainDatabase.Moment)?

  init(_ items: ItemStore) { self.items = items }

  /// Keeps a row, in place of another one.
  func keep(_ found: Found) throws(Failure) {
    kept = nil
    kept = (found, try items.keychain.moment())
  }

  /// The row kept for this requester, with its sealed secret, if the query still means it.
  func take(
    _ query: ItemQuery, _ requester: Requester
  ) throws(Failure) -> (found: Found, sealed: [UInt8])? {
    guard let (found, moment) = kept, found.requester == requester else { return nil }
    kept = nil
    guard found.query == query,
      let sealed = try items.sealedSecret(of: found.named.row, unlessChangedSince: moment)
    else { return nil }
    return (found, sealed)
  }
}
