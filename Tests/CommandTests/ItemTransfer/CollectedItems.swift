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
  private(set) var states: [EntryState] = []

  func take(_ entry: ImportedEntry) throws(Failure) {
    states.append(entry.state)
    for item in entry.items {
      let secret = item.secret.duplicate()
      items.append(Item(attributes: item.attributes, secret: secret.copied, origin: item.origin))
    }
  }

  /// The first item of a class whose label is this.
  func item(_ itemClass: ItemClass, _ label: String) -> Item? {
    items.first { $0.itemClass == itemClass && $0.attributes.label == label }
  }

  /// What makes the one-time passwords of a server or a title.
  func code(_ place: String) -> String? {
    items.first { $0.attributes.service == "otpauth:\(place)" }?.text
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

  init(_ bytes: [UInt8], _ map: ColumnMap? = nil) {
    var reader = CSVImport(to: collected, map)
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

/// What became of a file that is read as a whole.
struct WholeOutcome {
  let collected = CollectedItems()
  private(set) var failure: Failure?
  private(set) var program: String?

  var items: [CollectedItems.Item] { collected.items }
  var skipped: [SkippedEntry] { collected.skipped }

  init(_ bytes: [UInt8]) {
    let form = ImportForm(of: bytes.span)
    do throws(Failure) {
      program = try WholeImport.read(SecretBytes(copying: bytes.span), form, to: collected)
    } catch {
      failure = error
    }
  }

  init(_ text: String) { self.init(Array(text.utf8)) }
}
