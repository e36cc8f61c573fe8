package import Protocol

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
