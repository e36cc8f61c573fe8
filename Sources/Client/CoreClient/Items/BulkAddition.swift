package import Protocol

/// Adds any number of items, in messages as large as possible. One thread at a time.
///
/// Each message is a transaction: answered items are on the disk, whatever happens to the rest.
/// Secrets wait in locked memory.
package struct BulkAddition: ~Copyable {
  package typealias Send = (borrowing AddItems) throws(Failure) -> ItemsAdded

  /// The most bytes of items in one message, unless a single item is longer. The core gives one
  /// process 256 KiB of locked memory, holds a message there twice, and may still hold the previous
  /// one when the next comes.
  private static let messageBytes = 48 << 10

  private let send: Send
  private var items: [AddItems.NewItem] = []
  private var secrets = WireEncoder()
  /// The approximate size of the waiting items, in bytes.
  private var size = 0
  /// The results of the items that were sent, in the order of adding.
  package private(set) var results: [ItemsAdded.Result] = []

  /// - Parameter send: asks a keychain, as `CoreConnection.ask` does.
  package init(_ send: @escaping Send) { self.send = send }

  /// Adds an item, in this message or a later one.
  /// - Throws: the failure of core or keychain; the items of that message are not stored, and no
  ///   more should be added.
  package mutating func add(
    _ attributes: ItemAttributes, _ secret: borrowing SecretBytes
  ) throws(Failure) {
    var encoder = WireEncoder()
    attributes.encode(into: &encoder)
    let more = encoder.count + secret.count + 4
    if size + more > Self.messageBytes || items.count == AddItems.mostItems { try sendWaiting() }
    items.append(.init(attributes: attributes, secretCount: UInt32(secret.count)))
    secrets.writeRaw(secret.bytes)
    size += more
  }

  /// Sends the waiting items.
  /// - Returns: the result of each item, in the order of adding.
  /// - Throws: as ``add(_:_:)``.
  package mutating func finish() throws(Failure) -> [ItemsAdded.Result] {
    try sendWaiting()
    return results
  }

  private mutating func sendWaiting() throws(Failure) {
    guard !items.isEmpty else { return }
    var full = WireEncoder(capacity: Self.messageBytes)
    swap(&full, &secrets)
    let message = AddItems(items: items, secrets: full.finish())
    (items, size) = ([], 0)
    let added = try send(message)
    guard added.results.count == message.items.count else {
      throw Failure(
        .coreFailed,
        "The keychain answered for \(added.results.count) of \(message.items.count) items",
        hint: "Run: \(Failure.endingTheCore)")
    }
    results += added.results
  }
}

extension FindItems {
  /// Visits the matches page by page, so that only one page is in memory. Items that are added
  /// meanwhile may be among them.
  /// - Parameters:
  ///   - ask: asks a keychain, as `CoreConnection.ask` does.
  ///   - visit: takes the items of a page; only the last page may be empty.
  /// - Throws: the failure of core or keychain, as for one message.
  package func forEachPage(
    _ ask: (FindItems) throws(Failure) -> FoundItems,
    _ visit: ([ItemAttributes]) throws(Failure) -> Void
  ) throws(Failure) {
    var request = self
    var left = limit == 0 ? UInt32.max : limit
    while true {
      let page = try ask(request)
      try visit(page.items)
      left -= min(left, UInt32(clamping: page.items.count))
      // A cursor that does not move would loop forever.
      guard page.next > request.after, left > 0 else { return }
      request = FindItems(
        query: query, onlyOpenable: onlyOpenable, limit: limit == 0 ? 0 : left, after: page.next)
    }
  }

  /// All matches.
  /// - Throws: as ``forEachPage(_:_:)``.
  package func all(
    _ ask: (FindItems) throws(Failure) -> FoundItems
  ) throws(Failure) -> [ItemAttributes] {
    var items: [ItemAttributes] = []
    try forEachPage(ask) { (page) throws(Failure) in items += page }
    return items
  }
}

extension FoundGuarded {
  /// The entries that the next change of fingers closes for good.
  package var closedByChange: [GuardedEntry] {
    entries.filter { !$0.isLost && $0.accessControl.requiresCurrentSet }
  }
}

extension [GuardedEntry] {
  /// The names of the entries that the caller may know.
  package var names: [String] { map(\.name).filter { !$0.isEmpty } }

  /// How many belong to other programs or cannot be read at the moment.
  package var unnamed: Int { count - names.count }
}

extension ItemQuery {
  /// Selects the one item with these attributes: by its identifier, and by attributes that find its
  /// row quickly. The group is that of the query that found it, since shared items are in no named
  /// group.
  package init(naming item: ItemAttributes, among query: ItemQuery = ItemQuery()) {
    self.init()
    identifier = item.identifier
    itemClass = item.itemClass
    isSynchronizable = nil
    group = query.group
    for name in [AttributeName.service, .server, .account] { terms[name] = item.values[name] }
  }
}

extension UpdateItems {
  /// Reads of an item whose next secret depends on the present one, while others change it too.
  package static let mostReads = 50

  /// Replaces only the secret of an item, if it is still as it was read. Else it fails with `busy`,
  /// and is to be read again.
  package init(
    secretOf item: borrowing GotItem, among query: ItemQuery = ItemQuery(),
    to secret: consuming SecretBytes
  ) {
    self.init(
      query: ItemQuery(naming: item.attributes, among: query), changes: ItemChanges(),
      allowsSeveral: false, replacesSecret: true, secret: secret, revision: item.revision)
  }

  /// Replaces only the secret of the one item with these attributes.
  package init(
    secretOf item: ItemAttributes, among query: ItemQuery = ItemQuery(),
    to secret: consuming SecretBytes
  ) {
    self.init(
      query: ItemQuery(naming: item, among: query), changes: ItemChanges(), allowsSeveral: false,
      replacesSecret: true, secret: secret)
  }
}
