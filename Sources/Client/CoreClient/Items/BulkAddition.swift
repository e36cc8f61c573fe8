package import Protocol

/// Adds any number of items, in messages as large as may be. One thread at a time.
///
/// Each message is a transaction: what has been answered is on the disk, whatever becomes of the
/// rest. Secrets wait in locked memory for their message.
package struct BulkAddition: ~Copyable {
  /// Sends a message to the keychain and returns its answer.
  package typealias Send = (borrowing AddItems) throws(Failure) -> ItemsAdded

  /// Bytes of items in one message. The core gives one process 256 KiB of locked memory, holds a
  /// message there twice, and may still hold the one before when the next comes. One item may be
  /// longer.
  private static let messageBytes = 48 << 10

  private let send: Send
  private var items: [AddItems.NewItem] = []
  private var secrets = WireEncoder()
  /// Bytes of the items that wait, about.
  private var size = 0
  /// What became of the items that were sent, in the order of adding.
  package private(set) var results: [ItemsAdded.Result] = []

  /// `send` asks a keychain, as `CoreConnection.ask` does.
  package init(_ send: @escaping Send) { self.send = send }

  /// Adds an item, with this message or a later one.
  /// - Throws: what the core or the keychain answered instead; the items of that message are not
  ///   stored, and nothing more should be added.
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

  /// Sends what waits.
  /// - Returns: what became of each item, in the order of adding.
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
        .coreFailed, "The keychain answered for \(added.results.count) of several items",
        hint: "Run: \(Failure.endingTheCore)")
    }
    results += added.results
  }
}

extension FindItems {
  /// Visits what is found, page by page: no more than one page is held, however many items there
  /// are. What is added meanwhile may be among them.
  /// - Parameters:
  ///   - ask: asks a keychain, as `CoreConnection.ask` does.
  ///   - visit: takes the items of a page, at least one but for the last.
  /// - Throws: what the core or the keychain answered instead, as for one message.
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
      // A cursor that does not move would go on for ever.
      guard page.next > request.after, left > 0 else { return }
      request = FindItems(
        query: query, onlyOpenable: onlyOpenable, limit: limit == 0 ? 0 : left, after: page.next)
    }
  }

  /// All that is found.
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
  /// What the next change of the fingers closes for good.
  package var closedByChange: [GuardedEntry] {
    entries.filter { !$0.isLost && $0.accessControl.requiresCurrentSet }
  }
}

extension [GuardedEntry] {
  /// What those are called that the caller may know of.
  package var names: [String] { map(\.name).filter { !$0.isEmpty } }

  /// How many are of other programs, or cannot be read at the moment.
  package var unnamed: Int { count - names.count }
}

extension ItemQuery {
  /// The one item of these attributes: by its identifier, and by what its row is quickly found by.
  /// The group is that of the query it was found by: what others share is in none that is named.
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
  /// Gives the one item of these attributes another secret, and changes nothing else of it.
  package init(
    secretOf item: ItemAttributes, among query: ItemQuery = ItemQuery(),
    to secret: consuming SecretBytes
  ) {
    self.init(
      query: ItemQuery(naming: item, among: query), changes: ItemChanges(), allowsSeveral: false,
      replacesSecret: true, secret: secret)
  }
}
