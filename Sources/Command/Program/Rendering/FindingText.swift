import CoreClient

/// What `doctor` found.
enum FindingText {
  static func lines(_ findings: [Finding], _ paint: Paint) -> [String] {
    let width = findings.map(\.subject.count).max() ?? 0
    var lines: [String] = []
    for finding in findings {
      lines += paint.hanging(
        finding.text.printable,
        behind: mark(finding.state, paint) + "  " + finding.subject.padded(to: width) + "  ")
      if let remedy = finding.remedy {
        let indent = String(repeating: " ", count: width + 10)
        lines += paint.hanging(remedy.printable, behind: indent).map { paint($0, .accent) }
      }
    }
    let problems = findings.count { $0.state == .problem }
    let end =
      switch problems {
      case 0: "Nothing stands in the way."
      case 1: "One thing stands in the way."
      default: "\(problems) things stand in the way."
      }
    return lines + ["", end]
  }

  private static func mark(_ state: Finding.State, _ paint: Paint) -> String {
    switch state {
    case .good: paint("ok    ", .good)
    case .remark: paint("note  ", .doubtful)
    case .problem: paint("wrong ", .bad)
    }
  }

  static func json(_ findings: [Finding]) -> JSONValue {
    .object([
      "works": .bool(!findings.contains { $0.state == .problem }),
      "findings": .array(
        findings.map { finding in
          .object([
            "subject": .string(finding.subject), "state": .string(finding.state.rawValue),
            "message": .string(finding.text), "remedy": finding.remedy.map(JSONValue.string),
          ])
        }),
    ])
  }
}
