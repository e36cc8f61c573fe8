import CoreClient
import ItemTransfer
import Protocol

/// The result of an import, or of a dry run.
struct ImportReport {
  private let run: ImportRun
  private let source: ImportedSource
  private let applied: Bool

  init(_ run: ImportRun, _ source: ImportedSource, applied: Bool) {
    (self.run, self.source, self.applied) = (run, source, applied)
  }

  private func count(_ fates: ImportRun.Fate...) -> UInt32 {
    UInt32(run.entries.count { fates.contains($0.fate) })
  }

  private var duplicates: UInt32 { count(.duplicate, .identical, .different) }

  func lines(_ paint: Paint) -> [String] {
    var lines: [String] = []
    // An item that was added under its own name needs no attention.
    let shown = run.entries.filter { !applied || $0.fate != .added || $0.number != nil }
    if !shown.isEmpty {
      var table = Table("found at", "class", "for", "account", "label", "")
      for entry in shown {
        let item = entry.attributes
        table.add(
          entry.origin, item.itemClass.name, item.service + item.server, item.account, item.label,
          Self.words(entry.fate) + (entry.number == nil ? "" : ", another secret of that name"))
      }
      lines += table.lines(paint) + [""]
    }
    for entry in run.skipped {
      lines.append("Left out, \(entry.origin.printable): \(entry.reason.printable).")
    }
    if !source.unkeptColumns.isEmpty {
      lines.append(
        "Not imported: the columns \(source.unkeptColumns.joined(separator: ", ").printable).")
    }
    lines.append(sentence)
    if let archived = setAsideSentence { lines.append(archived) }
    if !applied, count(.new) > 0 {
      lines.append("Nothing was changed. To add them, run it again with --apply.")
    }
    if applied, let file = source.readableFile { lines.append(advice(file)) }
    return lines
  }

  /// What to do with a file of secrets. It may be the only place of some.
  private func advice(_ file: String) -> String {
    let count = run.entries.count { !$0.isKept } + run.skipped.count
    guard count > 0 else {
      return "\(file.printable) still holds every secret, for anybody who can read it: remove it."
    }
    let entries = count == 1 ? "One entry of it is" : "\(count) entries of it are"
    return """
      Keep \(file.printable) for now, in a safe place. \(entries) not known to be in the keychain: \
      see above. --replace overwrites the secrets of existing items, --both keeps both.
      """
  }

  private var setAsideSentence: String? {
    guard run.setAside > 0 else { return nil }
    let entries =
      run.setAside == 1
      ? "One entry is archived or in the recycle bin"
      : "\(run.setAside) entries are archived or in the recycle bin"
    return run.skipsArchived
      ? "\(entries); as asked, that is left out."
      : "\(entries); the comment says so. --skip-archived leaves that out."
  }

  /// How many were numbered, because another secret has their name.
  private var numbered: UInt32 {
    UInt32(run.entries.count { $0.number != nil && [.new, .added].contains($0.fate) })
  }

  private var sentence: String {
    var parts: [String] = []
    if applied {
      parts.append("Added \(ItemText.count(count(.added))) from \(source.name)")
      if count(.replaced) > 0 { parts.append("replaced \(count(.replaced))") }
    } else {
      parts.append("\(source.name) has \(ItemText.count(count(.new))) to add")
    }
    if numbered > 0 {
      parts.append("\(numbered) of them beside another secret of the same name, with a number")
    }
    if duplicates > 0 { parts.append("\(duplicates) there already\(details)") }
    if !run.skipped.isEmpty { parts.append("\(run.skipped.count) left out") }
    return parts.joined(separator: ", ") + "."
  }

  private var details: String {
    let known = [
      (count(.identical), "the same"), (count(.different), "with another secret or comment"),
    ]
    .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return known.isEmpty ? "" : " (\(known.joined(separator: ", ")))"
  }

  private static func words(_ fate: ImportRun.Fate) -> String {
    switch fate {
    case .new: "new"
    case .added: "added"
    case .replaced: "replaced"
    case .duplicate: "there already"
    case .identical: "there already, the same"
    case .different: "there already, with another secret or comment"
    }
  }

  var json: JSONValue {
    .object([
      "applied": .bool(applied), "source": .string(source.name), "new": .count(count(.new)),
      "added": .count(count(.added)), "replaced": .count(count(.replaced)),
      "duplicates": .count(duplicates), "identical": .count(count(.identical)),
      "different": .count(count(.different)), "numbered": .count(numbered),
      "archived": .count(run.setAside),
      "items": .array(run.entries.map(Self.json)),
      "leftOut": .array(
        run.skipped.map {
          .object(["at": .string($0.origin), "reason": .string($0.reason)])
        }),
      "columnsNotTaken": .array(source.unkeptColumns.map { .string($0) }),
    ])
  }

  private static func json(_ entry: ImportRun.Entry) -> JSONValue {
    let item = entry.attributes
    func present(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }
    return .object([
      "at": .string(entry.origin), "class": .string(item.itemClass.name),
      "service": present(item.service), "server": present(item.server),
      "account": present(item.account), "label": present(item.label),
      "state": .string(entry.fate.rawValue), "number": entry.number.map { .count($0) },
    ])
  }
}
