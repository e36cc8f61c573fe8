import CoreClient
import Glibc
import Protocol

/// The result of `body`; nil if it finds nothing.
func ifFound<Value: ~Copyable>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value? {
  do throws(Failure) {
    return try body()
  } catch {
    guard error.code == .errSecItemNotFound else { throw error }
    return nil
  }
}

extension Failure {
  static let noSuchItem = Failure(
    .errSecItemNotFound, "There is no such item", hint: "authcore item list shows all.")
}

/// How a command treats an item whose name was not typed in full.
struct NameTolerance {
  /// Where a person must see its name before it is used.
  enum Witness: Int32 {
    case standardOutput = 1
    case standardError = 2
  }

  let witness: Witness
  var purpose = ItemSearch.Purpose.secret

  fileprivate var isSeen: Bool { isatty(witness.rawValue) == 1 }
}

extension CoreSession {
  /// The one item that a selection means. Plain arguments are searched for; the keychain resolves
  /// options.
  /// - Throws: `ambiguous` for several, `errSecItemNotFound` with suggestions.
  func item(
    of selection: ItemSelection, _ tolerance: NameTolerance, _ output: Output
  ) throws(Failure) -> (query: ItemQuery, name: String) {
    let query = try selection.selectingQuery()
    guard let search = selection.search(for: tolerance.purpose) else {
      return (query, ItemText.name(query))
    }
    let found = try closest(search, selection, tolerance, output)
    guard found.items.count == 1, let item = found.items.first else {
      throw Failure(
        .ambiguous, "\(found.items.count) items match: \(ItemText.names(found.items))",
        hint: "Name its account, --class, --label or --id")
    }
    return (ItemQuery(naming: item, among: query), ItemText.name(item))
  }

  /// Opens the one item that a selection means. An exact name takes one request.
  func open(
    _ selection: ItemSelection, _ tolerance: NameTolerance, _ options: PromptOptions,
    _ output: Output
  ) throws(Failure) -> GotItem {
    if let search = selection.search(for: tolerance.purpose),
      let query = search.opening(among: try selection.queryBesideName())
    {
      do throws(Failure) {
        return try ask(GetItem(query: query), options)
      } catch {
        switch error.code {
        case .errSecItemNotFound, .ambiguous: break
        default: throw error
        }
      }
    }
    return try ask(GetItem(query: try item(of: selection, tolerance, output).query), options)
  }

  /// All items that a selection means. Several are taken only by their exact name.
  func items(
    of selection: ItemSelection, _ tolerance: NameTolerance, _ output: Output
  ) throws(Failure) -> [ItemAttributes] {
    let query = try selection.selectingQuery()
    guard let search = selection.search(for: tolerance.purpose) else { return try find(query) }
    let found = try closest(search, selection, tolerance, output)
    guard found.closeness == .exact || found.items.count == 1 else {
      throw selection.onlyNear(found)
    }
    return found.items
  }

  private func closest(
    _ search: ItemSearch, _ selection: ItemSelection, _ tolerance: NameTolerance, _ output: Output
  ) throws(Failure) -> ItemSearch.Found {
    let outcome = try search.closest(among: selection.queryBesideName()) { (page) throws(Failure) in
      try ask(page)
    }
    switch outcome {
    case .found(let found):
      guard found.closeness != .exact, found.items.count == 1 else { return found }
      guard tolerance.isSeen else { throw selection.onlyNear(found) }
      output.note("Using the nearest item: \(ItemText.names(found.items))")
      return found
    case .nothing(let all):
      let near = NearestName.of(
        selection.plainService ?? "", among: Set(all.flatMap(\.typedNames)).sorted())
      throw Failure(
        .errSecItemNotFound, "No item is called \(selection.typedName)",
        hint: (near.map { "Did you mean \u{201C}\($0.printable)\u{201D}? " } ?? "")
          + "authcore item list shows all.")
    }
  }
}

extension ItemSelection {
  /// The search for plain arguments; nil without any.
  func search(for purpose: ItemSearch.Purpose) -> ItemSearch? {
    guard let plainService, !plainService.isEmpty else { return nil }
    return ItemSearch(plainService, account: plainAccount, for: purpose)
  }

  /// No item has the typed name, and a near one may not be used.
  fileprivate func onlyNear(_ found: ItemSearch.Found) -> Failure {
    Failure(
      .errSecItemNotFound, "No item is called \(typedName)",
      hint: "Nearest: \(ItemText.names(found.items)). Give the whole name, or --id.")
  }

  /// The plain arguments, for a sentence.
  fileprivate var typedName: String {
    [plainService, plainAccount].compactMap { $0 }
      .map { "\u{201C}\($0.printable)\u{201D}" }.joined(separator: " / ")
  }
}

extension ItemAttributes {
  fileprivate var typedNames: [String] {
    [servedName, server, label].filter { !$0.isEmpty }
  }
}
