import ArgumentParser
import CoreClient
import Protocol

/// The order and number of items that are shown: `--sort KEY`, `--reverse`, `--limit N`.
struct ItemOrderOptions: ParsableArguments {
  enum Key: String, CaseIterable, ExpressibleByArgument {
    case service, account, label, `class`, created, modified
  }

  @Option(
    help: ArgumentHelp(
      """
      Sort by service, account, label, class, created or modified, ignoring case. Without it: by \
      when items were added.
      """, valueName: "key"))
  var sort: Key?

  @Flag(help: "Reverse the order.")
  var reverse = false

  @Option(
    help: ArgumentHelp("Show at most this many items, the first in the order.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    guard let limit, limit < 1 else { return }
    throw ValidationError("--limit takes 1 or more; without it all are shown")
  }

  /// The request: no more items than are shown, if the keychain's own order is wanted.
  func request(_ query: ItemQuery) -> FindItems {
    guard sort == nil, !reverse, let limit else { return FindItems(query: query) }
    return FindItems(query: query, limit: UInt32(clamping: limit))
  }

  /// What an item is sorted by.
  func place(of item: ItemAttributes) -> Place {
    switch sort {
    case nil: .number(0)
    case .service: .text(item.shownService.lowercased())
    case .account: .text(item.shownAccount.lowercased())
    case .label: .text(item.label.lowercased())
    case .class: .number(Int64(item.itemClass.rawValue))
    case .created: .number(item.createdAt)
    case .modified: .number(item.modifiedAt)
    }
  }

  /// The indices of the items to show. Items come in order of age, `places` are theirs.
  func order(_ places: [Place]) -> [Int] {
    var indices = Array(places.indices)
    if sort != nil {
      // The older item first, if the rest is equal.
      indices.sort { (places[$0], $0) < (places[$1], $1) }
    }
    if reverse { indices.reverse() }
    return Array(indices.prefix(limit ?? indices.count))
  }

  /// All places of one key are texts, or all are numbers.
  enum Place: Comparable {
    case text(String)
    case number(Int64)
  }
}

/// A list of items that keeps only what is printed. For many items that is a fraction of their
/// memory.
struct ItemListing {
  private let isJSON: Bool
  private let order: ItemOrderOptions
  /// For each item an element of a JSON array, or the fields of a line.
  private var shown: [[String]] = []
  private var places: [ItemOrderOptions.Place] = []

  var count: Int { shown.count }

  init(for output: Output, in order: ItemOrderOptions) {
    isJSON = output.isJSON
    self.order = order
  }

  /// Adds a page, and marks items that nothing opens any more.
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
  /// What a list shows as service: a server too, or the subject of a certificate.
  var shownService: String { service + server + words(.subject) }

  /// What a list shows as account: the issuer of a certificate too.
  var shownAccount: String { account + words(.issuer) }
}
