import Wire

extension ItemQuery {
  /// The one item of these attributes: by its identifier, and by what its row is quickly found by.
  init(naming item: ItemAttributes) {
    self.init()
    identifier = item.identifier
    itemClass = item.itemClass
    isSynchronizable = nil
    group = item.group
    for name in [AttributeName.service, .server, .account] { terms[name] = item.values[name] }
  }
}
