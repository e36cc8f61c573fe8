import CoreClient
import ItemTransfer
import Protocol

/// One import: compares what is found with the keychain, and adds it or reports what it would do.
final class ImportRun: ImportReceiver {
  struct Plan {
    let adds: Bool
    let replaces: Bool
    /// Whether what differs from an item of the keychain is added beside it.
    let keepsBoth: Bool
    /// Whether archived and deleted entries are left out.
    let skipsArchived: Bool
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
    /// An item has its name, and another secret or comment.
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
  /// How many entries are archived or deleted.
  private(set) var setAside = 0
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

  var skipsArchived: Bool { plan.skipsArchived }

  func skip(_ entry: SkippedEntry) { skipped.append(entry) }

  func take(_ found: ImportedEntry) throws(Failure) {
    if found.state != .active {
      setAside += 1
      if plan.skipsArchived { return }
    }
    let items = try found.items.map { (item) throws(Failure) in
      Candidate(item, plan.attributes, try marks.mark(of: item.secret))
    }
    let numbering = numbering(of: items)
    for (item, standing) in zip(items, numbering.standings) {
      try take(item, standing, numbering.number)
    }
  }

  /// An item that was found, with what is said of all.
  private struct Candidate {
    let item: ImportedItem
    let attributes: ItemAttributes
    let mark: [UInt8]

    init(_ item: ImportedItem, _ all: ItemAttributes, _ mark: [UInt8]) {
      (self.item, self.mark) = (item, mark)
      var attributes = item.attributes
      attributes.group = all.group
      attributes.accessibility = all.accessibility
      attributes.accessControl = all.accessControl
      self.attributes = attributes
    }
  }

  /// How an item stands to those that have its name.
  private enum Standing {
    case absent
    case found
    case identical
    /// Another item of this import has its name.
    case taken
    /// An item of the keychain has its name, and another secret or comment. Nil if that cannot be
    /// told.
    case stored(ItemAttributes, isOther: Bool?)

    var isFree: Bool { if case .absent = self { true } else { isThere } }
    var isThere: Bool {
      switch self {
      case .found, .identical: true
      default: false
      }
    }
    var isStored: Bool { if case .stored = self { true } else { false } }
  }

  /// Finds the first number with which an entry loses nothing and covers nothing. All items of the
  /// entry get it, so that they stay together. An item that was in the keychain before keeps what it
  /// has, unless both are to be kept.
  private func numbering(of items: [Candidate]) -> (number: Int, standings: [Standing]) {
    /// The first number with which only items of the keychain stand in the way.
    var earlier: (number: Int, standings: [Standing])?
    var number = 1
    while true {
      let standings = items.map { standing(of: $0, number) }
      if standings.allSatisfy(\.isFree) {
        // Beside an item of the keychain, only the very same entry goes on.
        return standings.first?.isThere == true
          ? (number, standings) : earlier ?? (number, standings)
      }
      let isStored = standings.allSatisfy { $0.isFree || $0.isStored }
      if isStored, !plan.keepsBoth, earlier == nil { earlier = (number, standings) }
      guard items.allSatisfy({ $0.attributes.numbered(number + 1) != nil }) else {
        return earlier ?? (number, standings)
      }
      number += 1
    }
  }

  private func standing(of candidate: Candidate, _ number: Int) -> Standing {
    guard let attributes = candidate.attributes.numbered(number),
      let presence = present[attributes]
    else { return .absent }
    switch presence {
    case .found(let other, let mark):
      return other.values == attributes.values && mark == candidate.mark ? .found : .taken
    case .stored(let stored):
      guard let isSame = isSame(candidate.item.secret, as: stored) else {
        return .stored(stored, isOther: nil)
      }
      return isSame && stored.says(attributes) ? .identical : .stored(stored, isOther: true)
    }
  }

  private func take(
    _ candidate: Candidate, _ standing: Standing, _ number: Int
  ) throws(Failure) {
    var (standing, number) = (standing, number)
    // A note is never another edition of a note, so it goes beside.
    while case .stored(_, isOther: true) = standing, candidate.attributes.itemClass == .note,
      !plan.replaces
    {
      repeat {
        number += 1
        standing = self.standing(of: candidate, number)
      } while !standing.isFree && !standing.isStored
    }
    var entry = Entry(
      origin: candidate.item.origin,
      attributes: candidate.attributes.numbered(number) ?? candidate.attributes, fate: .new,
      number: number > 1 ? number : nil, isKept: true)
    switch standing {
    case .absent:
      if plan.adds {
        given.append(entries.count)
        try addition.add(entry.attributes, candidate.item.secret)
      }
    case .found: entry.fate = .duplicate
    case .identical: entry.fate = .identical
    case .taken: (entry.fate, entry.isKept) = (.different, false)
    case .stored(let stored, let isOther):
      entry.fate = try fate(candidate.item.secret, of: entry.attributes, over: stored, isOther)
      entry.isKept = entry.fate == .replaced
    }
    if entry.isKept { present.note(entry.attributes, candidate.mark) }
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
    _ isOther: Bool?
  ) throws(Failure) -> Fate {
    guard plan.replaces else { return isOther == nil ? .duplicate : .different }
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

extension ItemAttributes {
  /// Whether nothing is lost if an item with these attributes stays away. Names may have been changed
  /// since.
  fileprivate func says(_ other: ItemAttributes) -> Bool {
    other.values.names.filter { $0.isForPeople && $0 != .label }
      .allSatisfy { values[$0] == other.values[$0] }
  }
}
