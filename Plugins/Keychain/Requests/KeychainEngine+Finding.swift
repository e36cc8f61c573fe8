import AuthcoreABI
import EngineKit
import Protocol

/// The rows that a query names, as far as they can be read at the moment.
struct Candidates {
  /// One row with its attributes.
  struct Readable {
    let row: ItemRow
    let protection: ItemProtection
    let attributes: ItemAttributes
  }

  /// Rows that cannot be read.
  struct Unreadable {
    /// Rows whose class is closed. They count for nothing, and no answer says that they are there:
    /// a locked device does not tell what it holds.
    var closedCount = 0
    /// Rows that do not say what they should.
    var damaged: [ItemRow] = []
    /// Rows that were added beside a later keybag of the enclave's. They are kept: the later keybag
    /// may come back.
    var newerCount = 0

    var count: Int { damaged.count + newerCount }
  }

  var readable: [Readable] = []
  /// Rows that are meant.
  var unreadable = Unreadable()
  /// Rows of which nothing tells whether they are meant: the query asks for what is sealed.
  var doubtful = Unreadable()

  var count: Int { readable.count + unreadable.count }

  /// Adds what others share.
  mutating func add(_ shared: [Readable]) {
    guard !shared.isEmpty else { return }
    readable = (readable + shared).sorted { $0.row.sequence < $1.row.sequence }
  }
}

extension KeychainEngine {
  /// Leaves out what wants more than the context holds (`kSecUseAuthenticationUISkip`).
  func leaveOutProtected(_ candidates: inout Candidates) throws(Failure) {
    var openable: [Candidates.Readable] = []
    for item in candidates.readable {
      if item.attributes.accessControl == nil {
        openable.append(item)
      } else if let sealed = try store.sealedSecret(of: item.row),
        try enclave.authorize(sealed, as: item.protection) == nil
      {
        openable.append(item)
      }
    }
    candidates.readable = openable
  }

  /// Finds rows by the hashes of what the query names, and opens their attributes in batches.
  func candidates(
    for query: ItemQuery, of application: String
  ) throws(Failure) -> Candidates {
    let rows = try rows(for: query, of: application)
    return candidates(
      among: rows, opened: try enclave.openAttributes(of: rows), for: query,
      in: try group(query.group ?? "", of: application))
  }

  /// A row a query names, and how it is protected where it says so.
  typealias NamedRow = (row: ItemRow, protection: ItemProtection?)

  /// The rows that have the hashes of what the query names.
  func rows(for query: ItemQuery, of application: String) throws(Failure) -> [NamedRow] {
    let filter = try filter(for: query, of: application)
    return Self.named(try store.rows(matching: filter), by: filter)
  }

  /// The rows of a query that can be asked.
  func filter(for query: ItemQuery, of application: String) throws(Failure) -> RowFilter {
    try query.requireAskable()
    return try enclave.filter(for: query, in: group(query.group ?? "", of: application))
  }

  static func named(_ rows: [ItemRow], by filter: RowFilter) -> [NamedRow] {
    rows.map { (row: $0, protection: $0.protection(group: filter.group)) }
  }

  /// Sorts rows by what became of their attributes, which come in the same order.
  func candidates(
    among rows: [NamedRow], opened: [EnclaveLink.OpenedAttributes], for query: ItemQuery,
    in group: String
  ) -> Candidates {
    var candidates = Candidates()
    var unreadable = Candidates.Unreadable()
    for ((row, protection), result) in zip(rows, opened) {
      switch (result, protection) {
      case (.closed, _): unreadable.closedCount += 1
      case (.newer, _):
        unreadable.newerCount += 1
        services.log(
          ac_log_level_t(AC_LOG_WARNING),
          "the keychain item \(ItemRow.text(of: row.identifier)) is newer than the keybag and was left out"
        )
      case (.value(let attributes), let protection?)
      where row.agrees(with: attributes) && query.hashesMatch(attributes):
        guard query.matches(attributes) else { continue }
        var attributes = attributes
        // Which one it is was authenticated by its hash; items of before do not say.
        attributes.group = group
        candidates.readable.append(
          .init(row: row, protection: protection, attributes: attributes))
      case (.value, _), (.damaged, _):
        unreadable.damaged.append(row)
        services.log(
          ac_log_level_t(AC_LOG_WARNING),
          "the keychain item \(ItemRow.text(of: row.identifier)) is damaged and was left out")
      }
    }
    if query.isHashed {
      candidates.unreadable = unreadable
    } else {
      candidates.doubtful = unreadable
    }
    return candidates
  }

  /// Why no item can be given, although rows may match. While a class is closed nothing tells
  /// whether there is an item in it.
  func reason(
    forNone candidates: Candidates, of query: ItemQuery
  ) throws(Failure) -> Failure {
    if candidates.unreadable.newerCount > 0 { return Self.newer }
    if !candidates.unreadable.damaged.isEmpty { return Self.damaged }
    // Asked in either case, so that the answer takes as long. A row of another class than the query
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

  /// No open item matches; whether a closed one does is not said.
  static var closed: Failure {
    Failure(
      .errSecInteractionNotAllowed,
      "no item that can be reached while the device is locked is meant",
      hint: "unlock the device: authcore unlock")
  }
}
