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
