/// A line that a check's process writes to its parent. The driver is in that process and could write lines too, so reading is total
/// and a driver that lies harms its own report alone.
package enum CheckWord: Equatable, Sendable {
  /// What is about to be done: the place that is named when the process dies or hangs.
  case at(String)
  /// The check passed.
  case passed(note: String?)
  /// The check failed.
  case failed(reason: String, advice: String?)
  /// The check could not be run.
  case notRun(reason: String)
  /// The driver did something to the process that no driver may.
  case processHarmed(reason: String)

  /// Between the fields of a line.
  private static let separator: Character = "\t"

  /// Reads a line; nil when it is none.
  package init?(line: String) {
    let parts: [Substring] = line.split(
      separator: Self.separator, maxSplits: 2, omittingEmptySubsequences: false)
    let fields = parts.map { String($0) }
    let text = fields.count > 1 ? fields[1] : ""
    switch fields.first {
    case "at": self = .at(text)
    case "passed": self = .passed(note: text.isEmpty ? nil : text)
    case "failed":
      self = .failed(
        reason: text, advice: fields.count > 2 && !fields[2].isEmpty ? fields[2] : nil)
    case "not-run": self = .notRun(reason: text)
    case "harmed": self = .processHarmed(reason: text)
    default: return nil
    }
  }

  /// The line, without its end.
  package var line: String {
    switch self {
    case .at(let place): Self.line("at", place)
    case .passed(let note): Self.line("passed", note ?? "")
    case .failed(let reason, let advice): Self.line("failed", reason, advice ?? "")
    case .notRun(let reason): Self.line("not-run", reason)
    case .processHarmed(let reason): Self.line("harmed", reason)
    }
  }

  private static func line(_ fields: String...) -> String {
    fields.map { field in
      String(field.map { $0.isNewline || $0 == separator ? " " : $0 })
    }.joined(separator: String(separator))
  }
}
