import Protocol

extension KeychainEngine {
  /// ``GetItem``: the enclave opens the one item against the evidence of the context, or says what
  /// is missing.
  func get(
    _ request: GetItem, for application: String
  ) throws(Failure) -> SecretBytes {
    let filter = try filter(for: request.query, of: application)
    let group = try group(request.query.group ?? "", of: application)
    let shared = try shared(with: application, for: request.query)
    let found = try store.rowsWithSecret(matching: filter)
    let rows = Self.named(found.rows, by: filter)
    if shared.isEmpty, let sealed = found.secret, let protection = rows[0].protection {
      let opened = try enclave.open(
        sealed, of: rows[0].row, as: protection)
      let item = try single(
        of: candidates(among: rows, opened: [opened.attributes], for: request.query, in: group),
        for: request.query)
      guard item.attributes.itemClass != .certificate else { throw Self.certificateHasNoSecret }
      return reply(item, sealed.count, try enclave.opening(in: opened.takeItemReply()))
    }
    var candidates = candidates(
      among: rows, opened: try enclave.openAttributes(of: rows), for: request.query, in: group)
    candidates.add(shared)
    let item = try single(of: candidates, for: request.query)
    guard item.attributes.itemClass != .certificate else { throw Self.certificateHasNoSecret }
    guard let sealed = try store.sealedSecret(of: item.row) else { throw Self.notFound }
    return reply(
      item, sealed.count, try enclave.open(sealed, as: item.protection))
  }

  private func reply(
    _ item: Candidates.Readable, _ sealedCount: Int, _ opening: consuming EnclaveLink.Opening
  ) -> SecretBytes {
    switch consume opening {
    case .secret(let secret):
      return GotItem(attributes: item.attributes, secret: secret).encoded(
        capacity: 512 + item.row.sealedAttributes.count + sealedCount)
    case .evidenceNeeded(let needed): return needed.encoded()
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

extension ItemAttributes {
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
