import Glibc
import LinuxSystem
package import PluginHosting
package import Protocol

/// Runs the checks of the conformance kit, each in a process of its own.
package struct DriverExamination: Sendable {
  /// The driver's canonical path.
  package let driver: String
  /// What stands in for its device.
  package let device: CheckedDevice
  /// Options it is opened with.
  package let options: [DriverArgument.Option]
  private let installation: Installation
  private let program: TrustedFile
  private let logs: Bool
  private let timeoutMilliseconds: Int32

  /// `driver` is the path of its file, `installation` is where the kit's own program and the
  /// transports are, and `logs` is whether to report lines of the log. A driver hangs if its
  /// process is silent for `timeoutMilliseconds`.
  ///
  /// - Throws: `driverNotFound`, `untrustedPlugin`, `coreFailed` about the files involved.
  package init(
    _ driver: String, device: CheckedDevice, options: [DriverArgument.Option],
    in installation: Installation, logs: Bool = false, timeoutMilliseconds: Int32 = 20_000
  ) throws(Failure) {
    (self.logs, self.timeoutMilliseconds) = (logs, timeoutMilliseconds)
    self.driver = try TrustedFile(checking: driver).path
    (self.device, self.options, self.installation) = (device, options, installation)
    program = try TrustedFile(
      checking: installation.executableFolder + "/authcore-check-driver", missing: .coreFailed)
  }

  /// What happens while the checks run.
  package enum Event {
    case began(DriverCheck)
    /// What it is about to do.
    case at(String)
    /// What was written to the log.
    case log(DriverCheck, CheckLogLine)
    case ended(CheckFinding)
  }

  /// Runs the checks in order. `hear` is told what happens, as it happens.
  ///
  /// - Returns: the findings, in order.
  /// - Throws: `coreFailed` if a process cannot be started.
  package func run(
    _ checks: [DriverCheck] = DriverCheck.allCases, hear: (Event) -> Void = { _ in }
  ) throws(Failure) -> [CheckFinding] {
    var course = ExaminationCourse()
    for check in checks {
      hear(.began(check))
      hear(.ended(try make(check, &course, hear)))
    }
    return course.findings
  }

  private func make(
    _ check: DriverCheck, _ course: inout ExaminationCourse, _ hear: (Event) -> Void
  ) throws(Failure) -> CheckFinding {
    if let reason = course.obstacle ?? obstacle(to: check) {
      return course.add(check, .notRun(reason: reason))
    }
    switch check {
    case .sandbox: return course.add(check, describeInSandbox())
    case .process: return course.add(check, course.conduct)
    case .output: return course.add(check, course.silence)
    default:
      let process = try process(for: check)
      let report = try process.run { word in
        switch word {
        case .at(let place, _): hear(.at(place))
        case .log(let line): hear(.log(check, line))
        case .passed, .failed, .notRun, .processHarmed: break
        }
      }
      return course.add(check, report, of: process)
    }
  }

  /// How the first check's reason begins if the driver cannot be loaded at all.
  package static let unloadable = "cannot be loaded"

  private func obstacle(to check: DriverCheck) -> String? {
    switch check.need {
    case .recording where device.recording == nil:
      "no recorded traffic was given (--traffic FILE)"
    case .device where device.model == nil && device.recording != nil:
      "a recording answers once and in one order; give a device model as well (--model FILE)"
    case .model where device.model == nil && device.recording != nil:
      "only a device model can do this (--model FILE); of a recording see the check recording"
    default: nil
    }
  }

  private func describeInSandbox() -> CheckFinding.Outcome {
    do throws(Failure) {
      let description = try DriverCatalog(installation).describe(driver).description
      return .passed(note: "\(description.name), \(description.fullName)")
    } catch {
      return .failed(reason: error.message, advice: error.hint)
    }
  }

  private func process(for check: DriverCheck) throws(Failure) -> CheckProcess {
    var arguments = ["--check", check.rawValue, "--driver", driver]
    if case .recording = check.need, let recording = device.recording {
      arguments += ["--recording", recording, "--transport", try transport("recording")]
      arguments += ["--recorded-device", device.recordedDevice]
    } else if let model = device.model {
      arguments += ["--model", model, "--transport", try transport("simulated")]
    }
    if logs { arguments += ["--log", "on"] }
    for option in options { arguments += ["--option", option.name + "=" + option.value] }
    var launch = ProgramLaunch(path: program.path, arguments: arguments)
    // A driver under development may need LD_LIBRARY_PATH or a sanitizer's settings.
    launch.environment = EnvironmentVariable.entries
    return CheckProcess(launch: launch, timeoutMilliseconds: timeoutMilliseconds)
  }

  private func transport(_ name: String) throws(Failure) -> String {
    try installation.search.transport(name).path
  }
}

/// What stands in for the device while a driver is checked.
package struct CheckedDevice: Equatable, Sendable {
  /// The path of a device model (model.h).
  package var model: String?
  /// The path of recorded traffic.
  package var recording: String?
  /// Which device of the recording, `298d:1010` or `1.44`; "" for the one that the driver handles.
  package var recordedDevice: String

  package init(model: String? = nil, recording: String? = nil, recordedDevice: String = "") {
    (self.model, self.recording, self.recordedDevice) = (model, recording, recordedDevice)
  }

  /// The model beside a driver: `NAME-model.so` beside `NAME.so`.
  package static func model(beside driver: String) -> String? {
    let suffix = ".so"
    guard driver.hasSuffix(suffix) else { return nil }
    let path = String(driver.dropLast(suffix.utf8.count)) + "-model" + suffix
    guard let canonical = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(canonical) }
    return unsafe String(cString: canonical)
  }
}

/// The findings so far, and what else was seen in the checks.
struct ExaminationCourse {
  /// In the order of the checks.
  private(set) var findings: [CheckFinding] = []
  /// Why nothing more can be checked.
  private(set) var obstacle: String?
  /// The first harm that was done to a check's process.
  private var harm: (check: DriverCheck, reason: String)?
  /// The first thing that was written to standard output or error.
  private var output: (check: DriverCheck, text: String)?
  /// The first failure of each cause.
  private var failures: [String: CheckFinding] = [:]

  /// Adds a finding that needed no process.
  mutating func add(_ check: DriverCheck, _ outcome: CheckFinding.Outcome) -> CheckFinding {
    let finding = CheckFinding(check: check, outcome: outcome)
    findings.append(finding)
    return finding
  }

  /// Adds the report of a check's process. A failure that was reported before is not repeated.
  mutating func add(
    _ check: DriverCheck, _ report: CheckProcess.Report, of process: CheckProcess
  ) -> CheckFinding {
    note(check, report)
    let outcome = report.verdict ?? Self.outcome(of: report, process)
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

  /// Whether the driver left the checks' processes alone.
  var conduct: CheckFinding.Outcome {
    Self.outcome(
      of: harm,
      advice:
        "leave exit, signal, sigprocmask and chdir to the program; report failures as a status")
  }

  /// Whether the driver wrote nothing to their standard output and error.
  var silence: CheckFinding.Outcome {
    Self.outcome(
      of: output.map { ($0.check, "wrote \u{201C}\($0.text)\u{201D}") },
      advice: "log with host->log; both streams may belong to another program's protocol")
  }

  private static func outcome(
    of violation: (check: DriverCheck, reason: String)?, advice: String
  ) -> CheckFinding.Outcome {
    guard let violation else { return .passed(note: nil) }
    return .failed(
      reason: "\(violation.reason) (seen in \(violation.check.rawValue))", advice: advice)
  }

  /// The outcome of a process that reported no result.
  private static func outcome(
    of report: CheckProcess.Report, _ process: CheckProcess
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
        advice:
          "gdb names the line if the driver is built with -g: gdb -batch -ex run -ex bt --args "
          + process.commandLine)
    case nil:
      return .failed(
        reason: "did not return within \(process.timeoutMilliseconds / 1000) s\(place)",
        advice: "every call of usb/1 takes a deadline; no loop may outlast the capture's")
    }
  }

  /// For a crash, the cause is the function it happened in and what was done to the device.
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
