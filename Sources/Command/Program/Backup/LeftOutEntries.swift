import CoreClient
import Protocol

/// What a backup leaves out of that which this command reaches, by name. What other programs keep is
/// only counted.
struct LeftOutEntries {
  private struct Entry {
    let identifier: String
    let name: String
    let kind: String
    let access: AccessControl?
    let accessibility: Accessibility
  }

  private let entries: [Entry]

  /// Asks what is there, for which the device has to be unlocked; the items with an identifier in
  /// `included` are in the backup.
  init(_ session: CoreSession, without included: Set<String>) throws(Failure) {
    var query = ItemQuery()
    query.isSynchronizable = nil
    let items = try Self.found { () throws(Failure) in try session.find(query) }
    let keys = try Self.found { () throws(Failure) in
      try (session.ask(FindKeys(query: KeyQuery())) as FoundKeys).keys
    }
    entries =
      items.filter {
        ($0.accessControl != nil || $0.accessibility.isThisDeviceOnly)
          && !included.contains($0.identifier)
      }.map {
        Entry(
          identifier: $0.identifier, name: ItemText.name($0), kind: "item",
          access: $0.accessControl, accessibility: $0.accessibility)
      }
      + keys.map {
        Entry(
          identifier: $0.identifier, name: $0.name, kind: "key", access: $0.accessControl,
          accessibility: $0.accessibility)
      }
  }

  private static func found<Entry>(
    _ ask: () throws(Failure) -> [Entry]
  ) throws(Failure) -> [Entry] {
    do throws(Failure) {
      return try ask()
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      return []
    }
  }

  /// For people; `count` is how many were left out in all.
  func lines(of count: UInt64, _ paint: Paint) -> [String] {
    guard !entries.isEmpty else { return [] }
    var table = Table("left out", "", "asks for", "reachable")
    for entry in entries {
      table.add(
        entry.name, entry.kind, entry.access.map { ItemText.opening($0) } ?? "",
        entry.accessibility.name)
    }
    let others = count - min(count, UInt64(entries.count))
    return table.lines(paint) + (others > 0 ? ["\(others) more of other programs."] : [])
  }

  /// As JSON shows it.
  var json: JSONValue {
    .array(
      entries.map { entry in
        .object([
          "id": .string(entry.identifier), "name": .string(entry.name),
          "kind": .string(entry.kind), "access": entry.access.map { .string($0.text) },
          "accessible": .string(entry.accessibility.name),
        ])
      })
  }
}
