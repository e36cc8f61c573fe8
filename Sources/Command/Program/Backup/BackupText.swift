import BackupFormat
import CoreClient
import Cryptography
import Protocol

enum BackupText {
  /// Says that a backup was made, in `file` or on standard output. `guarded` of its items have an
  /// access control.
  static func created(_ counts: BackupCounts, guarded: UInt64, in file: String?) -> String {
    let place = file.map { " to \($0.printable)" } ?? ""
    let protected = guarded > 0 ? ", \(guarded) of them protected," : ""
    return "Wrote \(ItemText.count(counts.items))\(protected)\(place). \(leftOut(counts.leftOut))"
  }

  /// Says what stays on the device.
  static func leftOut(_ count: UInt64) -> String {
    switch count {
    case 0: "Nothing was left out."
    case 1: "One was left out: it stays on its device."
    default: "\(count) were left out: they stay on their device."
    }
  }

  /// Says what could not be read.
  static func unreadable(_ count: UInt64) -> String {
    "\(ItemText.count(count)) could not be read and \(count == 1 ? "is" : "are") not in the backup."
  }

  static func restored(_ counts: RestoreCounts, isDryRun: Bool) -> [String] {
    let parts = [
      "\(ItemText.count(counts.added)) added", "\(counts.replaced) replaced",
      "\(counts.kept) kept as they are here",
    ]
    let sum = parts.joined(separator: ", ")
    return [isDryRun ? "Nothing was changed. A restore would say: \(sum)." : sum + "."]
  }
}

/// What is known about a backup.
struct BackupFacts {
  let header: BackupHeader
  /// In bytes; nil if it came from a pipe.
  let size: UInt64?
  /// What it holds; nil if it was not checked.
  let counts: BackupCounts?

  var json: JSONValue {
    let cost = header.cost
    return .object([
      "version": .count(header.version), "created": .time(header.createdAt),
      "scrypt": .object([
        "n": .count(cost.cost), "r": .count(cost.blockSize), "p": .count(cost.parallelism),
      ]), "size": size.map { .count($0) }, "verified": .bool(counts != nil),
      "items": counts.map { .count($0.items) }, "leftOut": counts.map { .count($0.leftOut) },
      "unreadable": counts.map { .count($0.unreadable) },
    ])
  }

  func lines(_ paint: Paint) -> [String] {
    let cost = header.cost
    var facts = Facts()
    facts.add("version", "\(header.version)")
    facts.add("created", Timestamp.text(header.createdAt))
    facts.add(
      "passphrase",
      "scrypt, N = \(cost.cost), r = \(cost.blockSize), p = \(cost.parallelism): a try takes "
        + "\(cost.memory >> 20) MiB")
    if let size { facts.add("size", "\(size) bytes") }
    if let counts {
      facts.add("items", "\(counts.items)")
      facts.add("left out", BackupText.leftOut(counts.leftOut))
      if counts.unreadable > 0 { facts.add("damaged", BackupText.unreadable(counts.unreadable)) }
      facts.add("state", paint("whole: every record was opened", .good))
    } else {
      facts.add("state", "not checked; --verify asks for the passphrase and opens every record")
    }
    return facts.lines(paint)
  }
}

/// Shows on a terminal how much of a backup is done.
final class BackupProgress {
  private let title: String
  private let output: Output
  private var shown: ContinuousClock.Instant?

  /// The shortest time between two drawings.
  private static let interval = Duration.milliseconds(100)

  init(_ title: String, _ output: Output) {
    (self.title, self.output) = (title, output)
  }

  func show(_ done: UInt64, of total: UInt64) {
    guard shown.map({ ContinuousClock.now - $0 >= Self.interval }) ?? true else { return }
    shown = .now
    let share = total > 0 ? Double(done) / Double(total) : 0
    output.live("\(title)  " + Bar(share: share).drawn(output.errorPaint))
  }

  func end() { output.clearLive() }
}

/// The items and keys of this command that a backup leaves out. Those of other programs are only
/// counted.
struct LeftOutEntries {
  private struct Entry {
    let identifier: String
    let name: String
    let kind: String
    let access: AccessControl?
    let accessibility: Accessibility
  }

  private let entries: [Entry]

  /// Asks for them, which needs an unlocked device. Items with an identifier in `included` are in
  /// the backup.
  init(_ session: CoreSession, without included: Set<String>) throws(Failure) {
    var query = ItemQuery()
    query.isSynchronizable = nil
    let items = try ifFound { () throws(Failure) in try session.find(query) } ?? []
    let keys =
      try ifFound { () throws(Failure) in
        try (session.ask(FindKeys(query: KeyQuery())) as FoundKeys).keys
      } ?? []
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

  /// The lines for people. `count` is how many were left out in total.
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
