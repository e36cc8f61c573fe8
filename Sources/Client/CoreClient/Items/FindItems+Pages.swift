package import Protocol

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
