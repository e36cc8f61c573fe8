import Protocol

/// What one reply to ``FindItems`` holds at most, so that neither the keychain nor a client has to
/// hold more than this of any number of items. Far below the limit of the mailbox
/// (AC_ENGINE_MAX_MESSAGE).
private enum Page {
  /// Rows that are opened at once: as many as one message to the enclave takes.
  static let rows = largestBatch
  /// Rows that are opened at once where only a few are wanted.
  static let fewRows = 64
  /// Bytes of sealed attributes, but for the last row's.
  static let bytes = 4 << 20
}

extension KeychainEngine {
  /// ``FindItems``: what is open, oldest first. Goes through all that there is until something is
  /// found, so that a reply without items is the last.
  func find(_ request: FindItems, for application: String) throws(Failure) -> SecretBytes {
    let filter = try filter(for: request.query, of: application)
    let group = try group(request.query.group ?? "", of: application)
    let limit = request.limit == 0 ? Int.max : Int(request.limit)
    let count = min(Page.rows, max(Page.fewRows, limit))
    let others = try shared(with: application, for: request.query)
    var passed = Candidates()
    // The first page holds whatever comes first, also a number that SQLite never gave.
    var after = request.after == 0 ? .min : Int64(clamping: request.after)
    while true {
      let page = try store.rows(
        matching: filter, after: after, count: count, bytes: Page.bytes)
      let rows = Self.named(page.rows, by: filter)
      var found = candidates(
        among: rows, opened: try enclave.openAttributes(of: rows), for: request.query, in: group)
      let end = page.mayBeMore ? page.rows.last?.sequence ?? .max : .max
      found.add(others.filter { after < $0.row.sequence && $0.row.sequence <= end })
      if request.onlyOpenable { try leaveOutProtected(&found) }
      after = page.rows.last?.sequence ?? after
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
  /// Adds what there is on another page.
  fileprivate mutating func add(_ others: Candidates.Unreadable) {
    closedCount += others.closedCount
    damaged += others.damaged
    newerCount += others.newerCount
  }
}
