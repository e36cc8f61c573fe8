import LinuxSystem

/// What the checks so far have shown: their findings, and what was seen beside them.
struct ExaminationCourse {
  /// In the order of the checks.
  private(set) var findings: [CheckFinding] = []
  /// Why nothing further can be checked.
  private(set) var obstacle: String?
  /// The first thing that was done to a check's process.
  private var harm: (check: DriverCheck, reason: String)?
  /// The first thing that was written to standard output or error.
  private var output: (check: DriverCheck, text: String)?
  /// Which check was the first to fail by each cause.
  private var failures: [String: CheckFinding] = [:]

  /// Adds what was found without a process.
  mutating func add(_ check: DriverCheck, _ outcome: CheckFinding.Outcome) -> CheckFinding {
    let finding = CheckFinding(check: check, outcome: outcome)
    findings.append(finding)
    return finding
  }

  /// Adds what a check's process showed; what an earlier one has shown is not said again.
  mutating func add(
    _ check: DriverCheck, _ report: CheckProcess.Report, patienceMilliseconds: Int32
  ) -> CheckFinding {
    note(check, report)
    let outcome = report.verdict ?? Self.outcome(of: report, patienceMilliseconds)
    guard case .failed(let reason, _) = outcome else { return add(check, outcome) }
    if check == .symbols, reason.hasPrefix(DriverExamination.unloadable) {
      obstacle = "the file cannot be loaded"
    }
    let cause = Self.cause(of: report)
    let known = failures[cause.own] ?? cause.consequenceOf.flatMap { failures[$0] }
    if let known {
      let repeated = CheckFinding.notRun(check, failsAs: known)
      findings.append(repeated)
      return repeated
    }
    let finding = add(check, outcome)
    failures[cause.own] = finding
    return finding
  }

  private mutating func note(_ check: DriverCheck, _ report: CheckProcess.Report) {
    for word in report.words {
      if case .processHarmed(let reason) = word, harm == nil { harm = (check, reason) }
    }
    if case .exited(let status)? = report.end, report.verdict == nil, harm == nil {
      harm = (check, "it ended the process with status \(status)" + Self.place(of: report))
    }
    if !report.output.isEmpty, output == nil { output = (check, Self.excerpt(report.output)) }
  }

  /// Whether the driver left the processes of the checks alone.
  var conduct: CheckFinding.Outcome {
    Self.outcome(
      of: harm,
      advice:
        "leave exit, signal, sigprocmask and chdir to the program; report failures as a status")
  }

  /// Whether it wrote nothing to their standard output and error.
  var silence: CheckFinding.Outcome {
    Self.outcome(
      of: output.map { ($0.check, "wrote \u{201C}\($0.text)\u{201D}") },
      advice: "log with host->log; both streams may belong to somebody else's protocol")
  }

  private static func outcome(
    of violation: (check: DriverCheck, reason: String)?, advice: String
  ) -> CheckFinding.Outcome {
    guard let violation else { return .passed(note: nil) }
    return .failed(
      reason: "\(violation.reason) (seen in \(violation.check.rawValue))", advice: advice)
  }

  /// What became of a process that did not come to a verdict.
  private static func outcome(
    of report: CheckProcess.Report, _ patienceMilliseconds: Int32
  ) -> CheckFinding.Outcome {
    let place = place(of: report)
    switch report.end {
    case .exited(let status):
      return .failed(
        reason: "ended the process with status \(status)\(place)",
        advice: "a plugin never exits (common.h): return a status and set a message")
    case .signaled(let signal):
      return .failed(
        reason: "died: \(ProcessEnd.signaled(signal).description)\(place)",
        advice: "run the same under gdb or with -fsanitize=address")
    case nil:
      return .failed(
        reason: "did not return within \(patienceMilliseconds / 1000) s\(place)",
        advice: "every call of usb/1 takes a deadline; no loop may outlast the capture's")
    }
  }

  /// A crash has the function it happened in for its cause, and what was done to the device.
  private static func cause(of report: CheckProcess.Report) -> CheckCause {
    for case .failed(_, _, let cause) in report.words.reversed() { return cause }
    let end = report.end.map { "\($0)" } ?? "silence"
    let function = report.place.map { $0.text.prefix { $0 != "," } } ?? ""
    return CheckCause(own: "\(end) in \(function) \(report.place?.disturbance ?? "")")
  }

  private static func place(of report: CheckProcess.Report) -> String {
    report.place.map { " in " + $0.text } ?? ""
  }

  private static func excerpt(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(60).map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}
