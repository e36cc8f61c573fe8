import Protocol

/// Items as they come, page by page, made to what is printed of them: of many items that is a
/// fraction of what they are.
struct ItemListing {
  private let isJSON: Bool
  private let order: ItemOrderOptions
  /// Of each item a member of a JSON array, or the fields of a line.
  private var shown: [[String]] = []
  private var places: [ItemOrderOptions.Place] = []

  /// How many items came.
  var count: Int { shown.count }

  /// A list for `output`, which prints either an object or a table.
  init(for output: Output, in order: ItemOrderOptions) {
    isJSON = output.isJSON
    self.order = order
  }

  /// Adds a page, and marks what is lost.
  mutating func add(_ items: [ItemAttributes], _ lost: LostEntries) throws(Failure) {
    for item in items {
      let isLost = try lost.contains(item.identifier, item.accessControl)
      shown.append(isJSON ? [item.json(isLost: isLost).text] : Self.fields(of: item, isLost))
      places.append(order.place(of: item))
    }
  }

  private static func fields(of item: ItemAttributes, _ isLost: Bool) -> [String] {
    [
      item.itemClass.name, item.shownService, item.shownAccount, item.label,
      item.accessControl.map { ItemText.opening($0, isLost: isLost) } ?? "", ItemText.reach(item),
      Timestamp.day(item.modifiedAt),
    ]
  }

  /// Prints the list as the result of a command.
  func print(to output: Output) {
    let shown = order.order(places).map { self.shown[$0] }
    guard !isJSON else {
      let items = shown.lazy.flatMap(\.self).joined(separator: ",")
      return output.result(text: "{\"items\":[\(items)]}", [])
    }
    var table = Table("class", "service", "account", "label", "opens with", "reachable", "changed")
    for fields in shown { table.add(fields) }
    output.result(text: "", shown.isEmpty ? ["There are no items."] : table.lines(output.paint))
  }
}

extension ItemAttributes {
  /// What it is for, as a list shows it: of a certificate, whose it is.
  var shownService: String { service + server + words(.subject) }

  /// Whose it is there: of a certificate, who issued it.
  var shownAccount: String { account + words(.issuer) }
}
