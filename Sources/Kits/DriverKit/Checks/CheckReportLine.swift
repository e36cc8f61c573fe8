/// A line that a check's process writes to its parent. The driver is in that process and could
/// write lines too, so reading is total and a driver that lies harms its own report alone.
package enum CheckReportLine: Equatable, Sendable {
  /// What is about to be done, and what was done to the device, if anything: named when the process
  /// dies or hangs.
  case at(String, disturbance: String? = nil)
  case passed(note: String?)
  /// The check failed. Two failures with the same cause are one mistake of the driver's, said in
  /// two places.
  case failed(reason: String, advice: String?, cause: CheckCause)
  /// The check could not be run.
  case notRun(reason: String)
  /// The driver did something to the process that no driver may.
  case processHarmed(reason: String)
  case log(CheckLogLine)

  /// Between the fields of a line.
  private static let separator: Character = "\t"

  /// Reads a line; nil when it is none.
  package init?(line: String) {
    let parts: [Substring] = line.split(
      separator: Self.separator, maxSplits: 4, omittingEmptySubsequences: false)
    let fields = parts.map { String($0) }
    func field(_ index: Int) -> String? {
      fields.indices.contains(index) && !fields[index].isEmpty ? fields[index] : nil
    }
    let text = field(1) ?? ""
    switch fields.first {
    case "at": self = .at(text, disturbance: field(2))
    case "passed": self = .passed(note: field(1))
    case "failed":
      self = .failed(
        reason: text, advice: field(2),
        cause: CheckCause(own: field(3) ?? text, consequenceOf: field(4)))
    case "not-run": self = .notRun(reason: text)
    case "harmed": self = .processHarmed(reason: text)
    case "log":
      self = .log(CheckLogLine(speaker: text, level: field(2) ?? "", text: field(3) ?? ""))
    default: return nil
    }
  }

  /// The line, without its end.
  package var line: String {
    switch self {
    case .at(let place, let disturbance): Self.line("at", place, disturbance ?? "")
    case .passed(let note): Self.line("passed", note ?? "")
    case .failed(let reason, let advice, let cause):
      Self.line("failed", reason, advice ?? "", cause.own, cause.consequenceOf ?? "")
    case .notRun(let reason): Self.line("not-run", reason)
    case .processHarmed(let reason): Self.line("harmed", reason)
    case .log(let line): Self.line("log", line.speaker, line.level, line.text)
    }
  }

  private static func line(_ fields: String...) -> String {
    fields.map { field in
      String(field.map { $0.isNewline || $0 == separator ? " " : $0 })
    }.joined(separator: String(separator))
  }
}

/// What a failure comes from.
package struct CheckCause: Equatable, Sendable {
  /// No driver fails by this that gives a frame of a sound touch.
  package static let noFrame = "no frame"

  /// The same for all failures that are one mistake.
  package let own: String
  /// Another cause that would explain it as well.
  package let consequenceOf: String?

  /// Describes a cause; numbers in it, which differ from place to place, do not count.
  package init(own: String, consequenceOf: String? = nil) {
    self.own = String(own.filter { !$0.isNumber })
    self.consequenceOf = consequenceOf
  }
}

/// A line that the driver, its transport or its device model wrote to the log.
package struct CheckLogLine: Equatable, Sendable {
  /// By `driver`, `transport` or `model`, at the level `debug`, `info`, `warning` or `error`.
  package let speaker, level, text: String

  package init(speaker: String, level: String, text: String) {
    (self.speaker, self.level, self.text) = (speaker, level, text)
  }
}
