import Wire

/// Items as they come, page by page, made to what is printed of them: of many items that is a
/// fraction of what they are.
struct ItemListing {
  private let isJSON: Bool
  /// A text for each page, members of one array.
  private var pages: [String] = []
  private var table = Table(
    "class", "service", "account", "label", "opens with", "reachable", "changed")
  /// How many there are.
  private(set) var count = 0

  /// A list for `output`, which prints either an object or a table.
  init(for output: Output) { isJSON = output.isJSON }

  /// Adds a page.
  mutating func add(_ items: [ItemAttributes]) {
    count += items.count
    if isJSON, !items.isEmpty {
      pages.append(items.map(\.json.text).joined(separator: ","))
    } else {
      for item in items { add(item) }
    }
  }

  private mutating func add(_ item: ItemAttributes) {
    table.add(
      item.itemClass.name, item.service + item.server + item.words(.subject),
      item.account + item.words(.issuer), item.label,
      item.accessControl.map(ItemText.opening) ?? "", item.accessibility.name,
      Timestamp.day(item.modifiedAt))
  }

  /// Prints the list as the result of a command.
  func print(to output: Output) {
    output.result(
      text: "{\"items\":[\(pages.joined(separator: ","))]}",
      count > 0 ? table.lines(output.paint) : ["There are no items."])
  }
}
