import Protocol

@testable import ItemTransfer

/// Everything that a source gave, with what was secret as text.
final class CollectedItems: ImportReceiver {
  struct Item: Equatable {
    let attributes: ItemAttributes
    let secret: [UInt8]
    let origin: String

    var itemClass: ItemClass { attributes.itemClass }
    var text: String { String(decoding: secret, as: UTF8.self) }
    func text(_ name: AttributeName) -> String { attributes.values[text: name] }
  }

  private(set) var items: [Item] = []
  private(set) var skipped: [SkippedEntry] = []

  func take(_ item: consuming ImportedItem) throws(Failure) {
    var secret: [UInt8] = []
    for index in 0..<item.secret.count { secret.append(item.secret.bytes[index]) }
    items.append(Item(attributes: item.attributes, secret: secret, origin: item.origin))
  }

  func skip(_ entry: SkippedEntry) { skipped.append(entry) }
}

/// What became of a CSV.
struct CSVOutcome {
  let collected = CollectedItems()
  private(set) var failure: Failure?
  private(set) var program: String?
  private(set) var unkept: [String] = []

  var items: [CollectedItems.Item] { collected.items }
  var skipped: [SkippedEntry] { collected.skipped }

  init(_ bytes: [UInt8]) {
    var reader = CSVImport(to: collected)
    do throws(Failure) {
      try reader.read(bytes.span)
      try reader.finish()
    } catch {
      failure = error
    }
    program = reader.program
    unkept = reader.unkeptColumns
  }

  init(_ lines: String...) { self.init(Array(lines.joined(separator: "\r\n").utf8)) }
}
