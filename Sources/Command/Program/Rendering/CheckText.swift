import CoreClient
import DriverKit
import PluginHosting
import Protocol

enum CheckText {
  private static let nameWidth = DriverCheck.allCases.map(\.rawValue.count).max() ?? 0

  static func heading(_ examination: DriverExamination) -> [String] {
    [examination.driver.printable, device(examination.device), ""]
  }

  static func lines(_ finding: CheckFinding, _ paint: Paint) -> [String] {
    let name = finding.check.rawValue.padded(to: nameWidth)
    let indent = String(repeating: " ", count: "not run  ".count + nameWidth + 2)
    switch finding.outcome {
    case .passed(let note):
      let measured = note.map { paint(" (\($0.printable))", .faint) } ?? ""
      return [paint("passed ", .good) + "  \(name)  \(finding.check.title)\(measured)"]
    case .failed(let reason, let advice):
      return [
        paint("FAILED ", .bad) + "  \(name)  \(reason.printable)",
        indent + paint("rule: ", .accent) + finding.check.rule,
      ] + (advice.map { [indent + paint("do:   ", .accent) + $0.printable] } ?? [])
    case .notRun(let reason):
      return [paint("not run", .doubtful) + "  \(name)  \(reason.printable)"]
    }
  }

  static func line(_ line: CheckLogLine, of check: DriverCheck) -> String {
    "\(check.rawValue): " + LogText.line(level: line.level, of: line.speaker, line.text)
  }

  private static func device(_ device: CheckedDevice) -> String {
    let parts = [
      device.model.map { "the device model \($0.printable)" },
      device.recording.map { "the recording \($0.printable)" },
    ].compactMap { $0 }
    return parts.isEmpty ? "without a device" : "with " + parts.joined(separator: " and ")
  }

  static func summary(_ findings: [CheckFinding], _ paint: Paint) -> String {
    let failed = findings.count(where: \.isFailure)
    let notRun = findings.count { finding in
      if case .notRun = finding.outcome { true } else { false }
    }
    let passed = findings.count - failed - notRun
    return "\(passed) passed, "
      + (failed > 0 ? paint("\(failed) failed", .bad) : "0 failed") + ", \(notRun) not run"
  }

  static func json(_ findings: [CheckFinding], _ examination: DriverExamination) -> JSONValue {
    .object([
      "path": .string(examination.driver), "passed": .bool(!findings.contains(where: \.isFailure)),
      "checks": .array(findings.map(json)),
    ])
  }

  private static func json(_ finding: CheckFinding) -> JSONValue {
    let (outcome, reason, advice): (String, String?, String?) =
      switch finding.outcome {
      case .passed(let note): ("passed", note, nil)
      case .failed(let reason, let advice): ("failed", reason, advice)
      case .notRun(let reason): ("notRun", reason, nil)
      }
    return .object([
      "name": .string(finding.check.rawValue), "outcome": .string(outcome),
      "title": .string(finding.check.title), "detail": reason.map(JSONValue.string),
      "rule": .string(finding.check.rule), "hint": advice.map(JSONValue.string),
    ])
  }
}

/// Shows the findings as they come, and on a terminal what is being checked.
final class CheckProgress {
  private let output: Output
  /// How many checks have begun.
  private var number = 0
  private let count = DriverCheck.allCases.count
  private var title = ""
  private var shown = ContinuousClock.now

  /// A check may report its progress thousands of times.
  private static let interval = Duration.milliseconds(100)

  init(_ output: Output) { self.output = output }

  func show(_ event: DriverExamination.Event) {
    switch event {
    case .began(let check):
      number += 1
      title = "\(number)/\(count)  \(check.rawValue)"
      shown = .now
      output.live(title + " …")
    case .at(let place):
      guard ContinuousClock.now - shown >= Self.interval else { return }
      shown = .now
      output.live("\(title): \(place.printable) …")
    case .log(let check, let line): output.note(CheckText.line(line, of: check))
    case .ended(let finding):
      for line in CheckText.lines(finding, output.paint) { output.line(line) }
    }
  }
}

enum LogText {
  /// `warning  transport: the endpoint halted`
  static func line(level: String, of speaker: String?, _ text: String) -> String {
    level.padded(to: "warning".count) + "  " + (speaker.map { $0 + ": " } ?? "") + text.printable
  }
}

extension PluginLogLevel {
  var name: String { "\(self)" }
}
