import BackupFormat
import CoreClient
import Cryptography
import Protocol

/// What the commands for backups say.
enum BackupText {
  /// `1 item` or `7 items`.
  static func items(_ count: UInt64) -> String { count == 1 ? "1 item" : "\(count) items" }

  /// That a backup is made, in `file` or on standard output.
  /// `guarded` of the items have an access control.
  static func created(_ counts: BackupCounts, guarded: UInt64, in file: String?) -> String {
    let place = file.map { " to \($0.printable)" } ?? ""
    let protected = guarded > 0 ? ", \(guarded) of them protected," : ""
    return "Wrote \(items(counts.items))\(protected)\(place). \(leftOut(counts.leftOut))"
  }

  /// What is in no backup.
  static func leftOut(_ count: UInt64) -> String {
    switch count {
    case 0: "Nothing was left out."
    case 1: "One was left out: it stays on its device."
    default: "\(count) were left out: they stay on their device."
    }
  }

  /// What was damaged when it was made.
  static func unreadable(_ count: UInt64) -> String {
    "\(items(count)) could not be read and \(count == 1 ? "is" : "are") not in the backup."
  }

  /// What came of a restore, or would come of it.
  static func restored(_ counts: RestoreCounts, isDryRun: Bool) -> [String] {
    let parts = [
      "\(items(counts.added)) added", "\(counts.replaced) replaced",
      "\(counts.kept) kept as they are here",
    ]
    let sum = parts.joined(separator: ", ")
    return [isDryRun ? "Nothing was changed. A restore would say: \(sum)." : sum + "."]
  }
}

/// What is known of a backup.
struct BackupFacts {
  let header: BackupHeader
  /// In bytes; nil where it was read from a pipe.
  let size: UInt64?
  /// Where all of it was checked.
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
