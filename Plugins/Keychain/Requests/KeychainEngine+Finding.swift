import AuthcoreABI
import EngineKit
import Protocol

/// The rows that a query matches, as far as they can be read.
struct Candidates {
  struct Readable {
    let row: ItemRow
    let protection: ItemProtection
    let attributes: ItemAttributes
  }

  struct Unreadable {
    /// Rows whose class is closed. No answer counts them: a locked device does not tell what it
    /// holds.
    var closedCount = 0
    var damaged: [ItemRow] = []
    /// Rows sealed beside a later keybag. They are kept: that keybag may come back.
    var newerCount = 0

    var count: Int { damaged.count + newerCount }
  }

  var readable: [Readable] = []
  /// Rows that match.
  var unreadable = Unreadable()
  /// Rows that may match: the query asks for sealed attributes.
  var doubtful = Unreadable()

  var count: Int { readable.count + unreadable.count }

  mutating func add(_ shared: [Readable]) {
    guard !shared.isEmpty else { return }
    readable = (readable + shared).sorted { $0.row.sequence < $1.row.sequence }
  }
}

extension KeychainEngine {
  /// Leaves out items that need more evidence than the context holds
  /// (`kSecUseAuthenticationUISkip`).
  private func leaveOutProtected(_ candidates: inout Candidates) throws(Failure) {
    var openable: [Candidates.Readable] = []
    for item in candidates.readable {
      if item.attributes.accessControl == nil {
        openable.append(item)
      } else if let sealed = try items.sealedSecret(of: item.row),
        try enclave.authorize(sealed, as: item.protection) == nil
      {
        openable.append(item)
      }
    }
    candidates.readable = openable
  }

  /// Finds the rows of a query by hashes, and opens their attributes.
  func candidates(
    for query: ItemQuery, of application: String
  ) throws(Failure) -> Candidates {
    let rows = try items.rows(matching: filter(for: query, of: application))
    return candidates(
      among: rows, opened: try enclave.openAttributes(of: rows), for: query,
      in: try group(query.group ?? "", of: application))
  }

  /// The filter of a query; throws if the query is impossible.
  func filter(for query: ItemQuery, of application: String) throws(Failure) -> RowFilter {
    try query.requireAskable()
    return try enclave.filter(for: query, in: group(query.group ?? "", of: application))
  }

  /// Sorts rows by how their attributes opened.
  func candidates(
    among rows: [NamedRow], opened: [EnclaveLink.OpenedAttributes], for query: ItemQuery,
    in group: String
  ) -> Candidates {
    var candidates = Candidates()
    var unreadable = Candidates.Unreadable()
    for (named, result) in zip(rows, opened) {
      let row = named.row
      switch (result, named.protection) {
      case (.closed, _): unreadable.closedCount += 1
      case (.newer, _):
        unreadable.newerCount += 1
        warn(of: row, "is newer than the keybag")
      case (.value(let attributes), let protection?)
      where row.agrees(with: attributes) && query.hashesMatch(attributes):
        guard query.matches(attributes) else { continue }
        var attributes = attributes
        // The group's hash was authenticated. Early items do not name their group.
        attributes.group = group
        candidates.readable.append(
          .init(row: row, protection: protection, attributes: attributes))
      case (.value, _), (.damaged, _):
        unreadable.damaged.append(row)
        warn(of: row, "is damaged")
      }
    }
    if query.isHashed {
      candidates.unreadable = unreadable
    } else {
      candidates.doubtful = unreadable
    }
    return candidates
  }

  private func warn(of row: ItemRow, _ problem: String) {
    services.log(
      ac_log_level_t(AC_LOG_WARNING),
      "the keychain item \(ItemRow.text(of: row.identifier)) \(problem) and was left out")
  }

  /// Why no item can be given, although rows may match. While a class is closed, nothing tells if
  /// it holds an item.
  func reason(
    forNone candidates: Candidates, of query: ItemQuery
  ) throws(Failure) -> Failure {
    if candidates.unreadable.newerCount > 0 { return Self.newer }
    if !candidates.unreadable.damaged.isEmpty { return Self.damaged }
    // Asked in every case, so that timing tells nothing. A row of another class than the query
    // names has its hashes too.
    let isClosed =
      try enclave.isAClassClosed(of: query.accessibility)
      || (query.accessibility == nil && candidates.unreadable.closedCount > 0)
    return isClosed ? Self.closed : Self.notFound
  }

  static var notFound: Failure {
    Failure(
      .errSecItemNotFound, "no such item is in the keychain of this application",
      hint: "authcore item list shows what there is; authcore item add adds one")
  }

  static var damaged: Failure {
    Failure(
      .errSecDecode, "the item is damaged and cannot be read",
      hint: "remove it and add it again: authcore item remove, authcore item add")
  }

  static var newer: Failure {
    Failure(
      .stateDamaged,
      """
      the item was stored later than the enclave's keybag: an old copy of the keybag has been put back
      """,
      hint: """
        put the newest keybag and attempts back from a backup of the state folder; until then the \
        item stays closed, and it is not changed
        """)
  }

  /// No open item matches; perhaps a closed one does.
  static var closed: Failure {
    Failure(
      .errSecInteractionNotAllowed,
      "no item that can be reached while the device is locked matches",
      hint: "unlock the device: authcore unlock")
  }
}

/// Limits of one reply to ``FindItems``, so that neither keychain nor client has to hold more. Far
/// below the mailbox's limit (AC_ENGINE_MAX_MESSAGE).
private enum Page {
  /// Rows opened at once: as many as one message to the enclave takes.
  static let rows = largestBatch
  /// Rows opened at once if only a few are wanted.
  static let fewRows = 64
  /// Bytes of sealed attributes, without those of the last row.
  static let bytes = 4 << 20
}

extension KeychainEngine {
  /// ``FindItems``: open items, oldest first. Searches until something is found, so that a reply
  /// without items is the last.
  func find(_ request: FindItems, for application: String) throws(Failure) -> SecretBytes {
    let filter = try filter(for: request.query, of: application)
    let group = try group(request.query.group ?? "", of: application)
    let limit = request.limit == 0 ? Int.max : Int(request.limit)
    let count = min(Page.rows, max(Page.fewRows, limit))
    let others = try shared(with: application, for: request.query)
    var passed = Candidates()
    // The first page starts with any number, even one that SQLite never gives.
    var after = request.after == 0 ? .min : Int64(clamping: request.after)
    while true {
      let page = try items.rows(
        matching: filter, after: after, count: count, bytes: Page.bytes)
      var found = candidates(
        among: page.rows, opened: try enclave.openAttributes(of: page.rows), for: request.query,
        in: group)
      let last = page.rows.last?.row.sequence
      let end = page.mayBeMore ? last ?? .max : .max
      found.add(others.filter { after < $0.row.sequence && $0.row.sequence <= end })
      if request.onlyOpenable { try leaveOutProtected(&found) }
      after = last ?? after
      guard found.readable.isEmpty else {
        return reply(found.readable, limit: limit, next: page.mayBeMore ? after : 0)
      }
      passed.unreadable.add(found.unreadable)
      guard page.mayBeMore else { break }
    }
    guard request.after > 0 else { throw try reason(forNone: passed, of: request.query) }
    return FoundItems(items: []).encoded()
  }

  private func reply(
    _ found: [Candidates.Readable], limit: Int, next: Int64
  ) -> SecretBytes {
    let items = found.prefix(limit)
    let isCut = items.count < found.count
    return FoundItems(
      items: items.map(\.attributes),
      next: UInt64(clamping: isCut ? items.last?.row.sequence ?? next : next)
    ).encoded(capacity: 160 * items.count)
  }
}

extension Candidates.Unreadable {
  fileprivate mutating func add(_ others: Candidates.Unreadable) {
    closedCount += others.closedCount
    damaged += others.damaged
    newerCount += others.newerCount
  }
}
