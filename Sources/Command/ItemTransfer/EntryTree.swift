import Protocol

/// How one program's tree becomes entries: which of its parts are entries, and what their parts
/// hold. A part that no rule names goes to the details, so that nothing is lost.
struct EntryTree: Sendable {
  typealias Custom = @Sendable (Branch, inout FoundEntry) -> Void

  enum Rule: Sendable {
    case field(EntryField)
    /// A part that needs more than a name.
    case custom(Custom)
    /// Identifiers, times and what only the program needs.
    case ignored
  }

  /// The program's name.
  let name: String
  /// Whether a tree is this program's.
  let fits: @Sendable (Branch) -> Bool
  /// Gives every entry to the function.
  let forEachEntry:
    @Sendable (Branch, (Branch, Surroundings) throws(Failure) -> Void) throws(Failure) -> Void
  /// By path within the entry. Elements of an array have the array's path.
  let rules: [String: Rule]
  /// Adds what needs a view of the whole entry.
  var complete: @Sendable (Branch, Surroundings, inout FoundEntry) -> Void = { _, _, _ in }

  /// What an entry's own part does not say.
  struct Surroundings {
    var folder = ""
    var state = EntryState.active
    /// Entries to which others refer, by identifier.
    var others: [String: Branch] = [:]
  }

  static let known: [EntryTree] = [bitwarden, protonPass, onePassword, enpass, keePass]

  /// Gives every entry's items to `receiver`.
  func read(_ root: Branch, to receiver: any ImportReceiver) throws(Failure) {
    var number = 0
    try forEachEntry(root) { (branch, surroundings) throws(Failure) in
      number += 1
      var entry = FoundEntry(origin: "entry \(number)")
      entry.state = surroundings.state
      if !surroundings.folder.isEmpty { entry.remarks.append(("folder", surroundings.folder)) }
      // A program's own field comes before what people add, wherever it stands.
      for part in [Part.own, .added] { fill(&entry, with: branch, part) }
      complete(branch, surroundings, &entry)
      if entry.title.isEmpty { entry.title = "\(name), \(entry.origin)" }
      entry.hideSecrets()
      entry.origin = entry.title
      try entry.give(to: receiver)
    }
  }

  private enum Part {
    /// Parts that rules give one field.
    case own
    /// All others.
    case added
  }

  /// Fills an entry with parts of a tree.
  private func fill(
    _ entry: inout FoundEntry, with branch: Branch, _ part: Part, at path: String = ""
  ) {
    for child in branch.children {
      let name = child.name
      let place = name.isEmpty ? path : path.isEmpty ? name : "\(path).\(name)"
      switch rules[place] {
      case .ignored: continue
      case .custom(let take): if part == .added { take(child, &entry) }
      case _ where !child.children.isEmpty: fill(&entry, with: child, part, at: place)
      case .field(let field): if part == .own { entry.take(field, child) }
      case nil:
        guard part == .added else { continue }
        entry.take(.hidden(place.split(separator: ".").last.map(String.init) ?? ""), child)
      }
    }
  }
}

extension FoundEntry {
  /// Names a thing for each element.
  mutating func leaveOutAll(_ kind: String, _ list: Branch?, named name: String) {
    for thing in list?.children ?? [] { leaveOut(kind, named: thing.text(name)) }
  }

  /// Takes a part's own text, if it has one.
  mutating func take(_ field: EntryField, _ branch: Branch?) {
    guard let branch, branch.hasText else { return }
    let value = branch.secret
    take(field, value.bytes)
  }
}

extension [String: EntryTree.Rule] {
  /// Several fields at once.
  init(
    _ fields: [String: EntryField], ignored: [String] = [], custom: [String: EntryTree.Custom] = [:]
  ) {
    self = fields.mapValues { .field($0) }
    for path in ignored { self[path] = .ignored }
    for (path, take) in custom { self[path] = .custom(take) }
  }
}
