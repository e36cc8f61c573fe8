import CoreClient
import ItemTransfer
import Protocol

/// One import: compares what is found with the keychain, and adds it or reports what it would do.
final class ImportRun: ImportReceiver {
  struct Plan {
    let adds: Bool
    let replaces: Bool
    /// Group, accessibility and access control of what is added.
    let attributes: ItemAttributes
  }

  /// What happens to an item.
  enum Fate: String, CaseIterable {
    /// It would be added.
    case new
    case added
    case replaced
    /// An item has its name, and it is unknown whether also its secret; or it was found twice.
    case duplicate
    /// An item has its name and secret.
    case identical
    /// An item has its name and another secret.
    case different
  }

  /// Something that was found.
  struct Entry {
    let origin: String
    fileprivate(set) var attributes: ItemAttributes
    fileprivate(set) var fate: Fate
    /// Added to its label, if another secret of its name was found before.
    fileprivate(set) var number: Int?
    /// Whether its secret is in the keychain after the import.
    fileprivate(set) var isKept: Bool
  }

  private(set) var entries: [Entry] = []
  private(set) var skipped: [SkippedEntry] = []
  private let plan: Plan
  private let session: CoreSession
  private let promptOptions: PromptOptions
  private var present: PresentItems
  private let marks: SecretMarks
  private var addition: BulkAddition
  /// The entries that were given to the addition, in order.
  private var given: [Int] = []

  init(_ session: CoreSession, _ plan: Plan, promptOptions: PromptOptions) throws(Failure) {
    (self.session, self.plan, self.promptOptions) = (session, plan, promptOptions)
    present = try PresentItems(session, in: plan.attributes.group)
    marks = try SecretMarks()
    addition = BulkAddition { (message) throws(Failure) in try session.ask(message) }
  }

  func skip(_ entry: SkippedEntry) { skipped.append(entry) }

  /// If another secret with the same name was found before, the item is added beside it with a
  /// number. An item that was in the keychain keeps its secret.
  func take(_ item: consuming ImportedItem) throws(Failure) {
    var attributes = item.attributes
    attributes.group = plan.attributes.group
    attributes.accessibility = plan.attributes.accessibility
    attributes.accessControl = plan.attributes.accessControl
    let mark = try marks.mark(of: item.secret)
    var entry = Entry(
      origin: item.origin, attributes: attributes, fate: .new, number: nil, isKept: true)
    /// The first of these names that an item of the keychain has with another secret.
    var earlier: (stored: ItemAttributes, isSame: Bool?, entry: Entry)?
    var number = 1
    while let presence = present[ItemName(entry.attributes)] {
      switch presence {
      case .found(let found) where found == mark:
        entry.fate = .duplicate
        return entries.append(entry)
      case .found: break
      case .stored(let stored):
        let isSame = isSame(item.secret, as: stored)
        if isSame == true {
          entry.fate = .identical
          present.note(ItemName(entry.attributes), mark)
          return entries.append(entry)
        }
        if earlier == nil { earlier = (stored, isSame, entry) }
      }
      number += 1
      guard let other = attributes.numbered(number) else { break }
      (entry.attributes, entry.number) = (other, number)
    }
    if let earlier {
      entry = earlier.entry
      entry.fate = try fate(item.secret, of: entry.attributes, over: earlier.stored, earlier.isSame)
      entry.isKept = entry.fate == .replaced
    } else if present[ItemName(entry.attributes)] != nil {
      (entry.fate, entry.isKept) = (.different, false)
    } else if plan.adds {
      given.append(entries.count)
      try addition.add(entry.attributes, item.secret)
    }
    if entry.isKept { present.note(ItemName(entry.attributes), mark) }
    entries.append(entry)
  }

  /// Adds the rest, and records the results.
  /// - Throws: what prevents adding anything, such as a locked device.
  func finish() throws(Failure) {
    let results = try addition.finish()
    var refused: Set<Int> = []
    for (index, result) in zip(given, results) {
      switch result {
      case .added: entries[index].fate = .added
      case .duplicate: (entries[index].fate, entries[index].isKept) = (.duplicate, false)
      case .failed(let failure):
        guard [.errSecParam, .errSecNoSuchAttr].contains(failure.code) else { throw failure }
        skipped.append(SkippedEntry(origin: entries[index].origin, reason: failure.message))
        refused.insert(index)
      }
    }
    entries = entries.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
  }

  /// Says what a failed import has stored; nil if nothing.
  var sentenceOfStored: String? {
    let count = addition.results.count { $0.isAdded } + entries.count { $0.fate == .replaced }
    guard count > 0 else { return nil }
    return
      "\(ItemText.count(count)) \(count == 1 ? "was" : "were") stored before that; run "
      + "again, what is stored is reported as there already."
  }

  /// Decides about an item whose name is taken by another secret.
  private func fate(
    _ secret: borrowing SecretBytes, of found: ItemAttributes, over stored: ItemAttributes,
    _ isSame: Bool?
  ) throws(Failure) -> Fate {
    guard plan.replaces else { return isSame == nil ? .duplicate : .different }
    var changes = ItemChanges()
    for name in found.values.names { changes.terms[name] = found.values[name] }
    let _: ItemsChanged = try session.ask(
      UpdateItems(
        query: present.query(naming: stored), changes: changes, allowsSeveral: false,
        replacesSecret: true, secret: secret.duplicate()),
      promptOptions)
    return .replaced
  }

  /// Whether a stored item has this secret; nil if it cannot be told without asking a person.
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
