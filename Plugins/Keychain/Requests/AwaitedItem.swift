import Protocol

/// The row of an item that wants something proved first: the same request comes again with the
/// evidence, and need not look for it again.
///
/// The row is sealed and hashed. It serves the same requester and the same query until something in
/// the database changes.
struct AwaitedItem {
  let requester: Requester
  let query: ItemQuery
  let row: ItemRow
  let protection: ItemProtection
  /// When it was found.
  fileprivate var moment: ItemStore.Moment?

  init(
    _ requester: Requester, _ query: ItemQuery, _ row: ItemRow, _ protection: ItemProtection
  ) {
    (self.requester, self.query, self.row, self.protection) = (requester, query, row, protection)
  }
}

extension KeychainEngine {
  /// Keeps what the next request of this requester may find again; in place of another one.
  func keep(_ item: AwaitedItem) throws(Failure) {
    awaited = item
    awaited?.moment = try store.moment()
  }

  /// What was kept, with its sealed secret, where it is what a query still means.
  func takeAwaited(
    _ query: ItemQuery, _ requester: Requester
  ) throws(Failure) -> (item: AwaitedItem, sealed: [UInt8])? {
    guard let item = awaited, item.requester == requester else { return nil }
    awaited = nil
    guard item.query == query, let moment = item.moment,
      let sealed = try store.sealedSecret(of: item.row, unlessChangedSince: moment)
    else { return nil }
    return (item, sealed)
  }
}
