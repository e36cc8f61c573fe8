import ClientProtocol
import CoreConnections
import ItemTransfer
import Wire

/// One import: compares what is found with what is there, and adds it or only says what it would do.
final class ImportRun: ImportReceiver {
  /// What is done with what is found.
  struct Plan {
    let adds: Bool
    let replaces: Bool
    /// Group, accessibility and access control of what is added.
    let attributes: ItemAttributes
  }

  /// What becomes of an item.
  enum Fate: String, CaseIterable {
    /// It is not there, and would be added.
    case new
    case added
    case replaced
    /// An item of its name is there, or was found before it; nothing says whether with this secret.
    case duplicate
    /// One is there with this secret.
    case identical
    /// One is there with another secret.
    case different
  }

  /// Something that was found.
  struct Entry {
    let origin: String
    let attributes: ItemAttributes
    fileprivate(set) var fate: Fate
  }

  private(set) var entries: [Entry] = []
  private(set) var skipped: [SkippedEntry] = []
  private let plan: Plan
  private let session: CoreSession
  private let promptOptions: PromptOptions
  private var present: PresentItems
  private var addition: BulkAddition
  /// The entries that were given to the addition, in its order.
  private var given: [Int] = []

  init(
    _ session: CoreSession, _ plan: Plan, promptOptions: PromptOptions
  ) throws(Failure) {
    self.session = session
    self.plan = plan
    self.promptOptions = promptOptions
    present = try PresentItems(session, in: plan.attributes.group)
    addition = BulkAddition { (message) throws(Failure) in try session.ask(message) }
  }

  func skip(_ entry: SkippedEntry) { skipped.append(entry) }

  func take(_ item: consuming ImportedItem) throws(Failure) {
    var attributes = item.attributes
    attributes.group = plan.attributes.group
    attributes.accessibility = plan.attributes.accessibility
    attributes.accessControl = plan.attributes.accessControl
    let name = ItemName(attributes)
    var fate = Fate.new
    switch present[name] {
    case .found: fate = .duplicate
    case .stored(let stored): fate = try fateOfPresent(item, stored)
    case nil where plan.adds:
      given.append(entries.count)
      try addition.add(attributes, item.secret)
    case nil: break
    }
    present.note(name)
    entries.append(Entry(origin: item.origin, attributes: attributes, fate: fate))
  }

  /// Adds what still waits, and learns what became of all.
  /// - Throws: what keeps any item from being added, as a locked device does.
  func finish() throws(Failure) {
    let results = try addition.finish()
    var refused: Set<Int> = []
    for (index, result) in zip(given, results) {
      switch result {
      case .added: entries[index].fate = .added
      case .duplicate: entries[index].fate = .duplicate
      case .failed(let failure):
        guard [.errSecParam, .errSecNoSuchAttr].contains(failure.code) else { throw failure }
        skipped.append(SkippedEntry(origin: entries[index].origin, reason: failure.message))
        refused.insert(index)
      }
    }
    entries = entries.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
  }

  /// What an import that failed has stored; nil where that is nothing.
  var sentenceOfStored: String? {
    let count =
      addition.results.count { $0.isAdded } + entries.count { $0.fate == .replaced }
    guard count > 0 else { return nil }
    return
      "\(ItemText.count(UInt32(count))) \(count == 1 ? "was" : "were") stored before that; run "
      + "again, what is stored is reported as there already."
  }

  private func fateOfPresent(
    _ item: borrowing ImportedItem, _ stored: ItemAttributes
  ) throws(Failure) -> Fate {
    let isSame = isSame(item.secret, as: stored)
    guard plan.replaces, isSame != true else {
      return isSame.map { $0 ? .identical : .different } ?? .duplicate
    }
    var changes = ItemChanges()
    for name in item.attributes.values.names { changes.terms[name] = item.attributes.values[name] }
    let _: ItemsChanged = try session.ask(
      UpdateItems(
        query: present.query(naming: stored), changes: changes, allowsSeveral: false,
        replacesSecret: true, secret: item.secret.duplicate()),
      promptOptions)
    return .replaced
  }

  /// Whether an item that is there has this secret; nil where that cannot be told without asking
  /// somebody.
  private func isSame(_ secret: borrowing SecretBytes, as stored: ItemAttributes) -> Bool? {
    guard stored.accessControl == nil else { return nil }
    do throws(Failure) {
      let item: GotItem = try session.ask(GetItem(query: present.query(naming: stored)))
      return item.secret.isEqual(to: secret.bytes)
    } catch {
      return nil
    }
  }
}

/// What tells items from each other: class and primary key.
struct ItemName: Hashable {
  private let itemClass: ItemClass
  private let values: AttributeValues

  init(_ attributes: ItemAttributes) {
    itemClass = attributes.itemClass
    var values = AttributeValues()
    for name in attributes.itemClass.primaryKey { values[name] = attributes.values[name] }
    self.values = values
  }
}

/// The names that are taken: by items of the keychain, and by what was found before.
private struct PresentItems {
  enum Presence {
    /// An item of the keychain.
    case stored(ItemAttributes)
    /// Something that this import found before.
    case found
  }

  /// What is in the group into which items are added: the empty name is the application's own. An
  /// item that another program shares takes no name there, and is not this one's to replace.
  private let query: ItemQuery

  /// One of those.
  func query(naming item: ItemAttributes) -> ItemQuery { ItemQuery(naming: item, among: query) }

  private var items: [ItemName: Presence] = [:]

  init(_ session: CoreSession, in group: String) throws(Failure) {
    var query = ItemQuery()
    query.group = group
    self.query = query
    do throws(Failure) {
      try session.find(FindItems(query: query)) { (page) throws(Failure) in
        for item in page { items[ItemName(item)] = .stored(item) }
      }
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
    }
  }

  subscript(_ name: ItemName) -> Presence? { items[name] }

  mutating func note(_ name: ItemName) { items[name] = items[name] ?? .found }
}
