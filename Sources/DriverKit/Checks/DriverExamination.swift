import Glibc
package import PluginHosting
import Sandbox
package import Wire

/// The conformance kit: makes every check of a driver, each in a process of its own.
package struct DriverExamination: Sendable {
  /// The driver's canonical path.
  package let driver: String
  /// What stands in for its device.
  package let device: CheckedDevice
  /// Options it is opened with.
  package let options: [DriverArgument.Option]
  private let installation: Installation
  private let program: TrustedFile
  private let patienceMilliseconds: Int32

  /// - Parameters:
  ///   - driver: path of its file.
  ///   - device: what stands in for its device.
  ///   - options: it is opened with.
  ///   - installation: where the kit's own program and the transports lie.
  ///   - patienceMilliseconds: how long a check's process may be silent before the driver counts as hanging.
  /// - Throws: `driverNotFound`, `untrustedPlugin`, `coreFailed` about the files involved.
  package init(
    _ driver: String, device: CheckedDevice, options: [DriverArgument.Option],
    in installation: Installation, patienceMilliseconds: Int32 = 20_000
  ) throws(Failure) {
    self.patienceMilliseconds = patienceMilliseconds
    self.driver = try TrustedFile(checking: driver).path
    self.device = device
    self.options = options
    self.installation = installation
    program = try TrustedFile(
      checking: installation.executableFolder + "/authcore-check-driver", missing: .coreFailed)
  }

  /// Makes the checks, in order.
  /// - Parameters:
  ///   - checks: which ones; all unless said otherwise.
  ///   - progress: hears of each one as it begins.
  /// - Returns: what became of each, in order.
  /// - Throws: `coreFailed` where a process cannot be started.
  package func run(
    _ checks: [DriverCheck] = DriverCheck.allCases, progress: (DriverCheck) -> Void = { _ in }
  ) throws(Failure) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    var harm: (check: DriverCheck, reason: String)?
    var output: (check: DriverCheck, text: String)?
    var cannotLoad: String?
    for check in checks {
      if let reason = cannotLoad ?? obstacle(to: check) {
        findings.append(CheckFinding(check: check, outcome: .notRun(reason: reason)))
        continue
      }
      progress(check)
      switch check {
      case .sandbox:
        let outcome = describeInSandbox()
        findings.append(CheckFinding(check: check, outcome: outcome))
      case .process:
        findings.append(
          CheckFinding(check: check, outcome: Self.outcome(of: harm, advice: Self.harmAdvice)))
      case .output:
        findings.append(
          CheckFinding(
            check: check,
            outcome: Self.outcome(
              of: output.map { ($0.check, "wrote \u{201C}\($0.text)\u{201D}") },
              advice: "log with host->log; both streams may belong to somebody else's protocol")))
      default:
        let report = try process(for: check).run()
        for word in report.words {
          if case .processHarmed(let reason) = word, harm == nil { harm = (check, reason) }
        }
        if case .exited(let status)? = report.end, report.verdict == nil, harm == nil {
          harm = (check, "it ended the process with status \(status)" + Self.place(of: report))
        }
        if !report.output.isEmpty, output == nil {
          output = (check, Self.excerpt(report.output))
        }
        let finding = CheckFinding(check: check, outcome: outcome(of: report))
        findings.append(finding)
        if check == .symbols, case .failed(let reason, _) = finding.outcome,
          reason.hasPrefix(Self.unloadable)
        {
          cannotLoad = "the file cannot be loaded"
        }
      }
    }
    return findings
  }

  /// How the reason begins with which a driver that cannot be loaded at all fails its first check.
  package static let unloadable = "cannot be loaded"

  private static let harmAdvice =
    "leave exit, signal, sigprocmask and chdir to the program; report failures as a status"

  private func obstacle(to check: DriverCheck) -> String? {
    switch check.need {
    case .recording where device.recording == nil:
      "no recorded traffic was given (--traffic FILE)"
    case .device where device.model == nil && device.recording != nil:
      "a recording answers once and in one order; give a device model as well (--model FILE)"
    case .model where device.model == nil && device.recording != nil:
      "a recording cannot misbehave; give a device model as well (--model FILE)"
    default: nil
    }
  }

  private func describeInSandbox() -> CheckFinding.Outcome {
    do throws(Failure) {
      let description = try DriverCatalogue(installation).describe(driver).description
      return .passed(note: "\(description.name), \(description.fullName)")
    } catch {
      return .failed(reason: error.message, advice: error.hint)
    }
  }

  private func process(for check: DriverCheck) throws(Failure) -> CheckProcess {
    var arguments = ["--check", check.rawValue, "--driver", driver]
    if case .recording = check.need, let recording = device.recording {
      arguments += ["--recording", recording, "--transport", try transport("recording")]
    } else if let model = device.model {
      arguments += ["--model", model, "--transport", try transport("simulated")]
    }
    for option in options { arguments += ["--option", option.name + "=" + option.value] }
    var launch = ProgramLaunch(path: program.path, arguments: arguments)
    // A driver under development may need LD_LIBRARY_PATH or a sanitizer's settings.
    launch.environment = EnvironmentVariable.entries
    return CheckProcess(launch: launch, patienceMilliseconds: patienceMilliseconds)
  }

  private func transport(_ name: String) throws(Failure) -> String {
    try installation.search.transport(name).path
  }

  private func outcome(
    of report: CheckProcess.Report
  ) -> CheckFinding.Outcome {
    if let verdict = report.verdict { return verdict }
    let place = Self.place(of: report)
    switch report.end {
    case .exited(let status):
      return .failed(
        reason: "ended the process with status \(status)\(place)",
        advice: "a plugin never exits (common.h): return a status and set a message")
    case .signalled(let signal):
      return .failed(
        reason: "died: \(ProcessEnd.signalled(signal).description)\(place)",
        advice: "run the same under gdb or with -fsanitize=address")
    case nil:
      return .failed(
        reason: "did not return within \(patienceMilliseconds / 1000) s\(place)",
        advice: "every call of usb/1 takes a deadline; no loop may outlast the capture's")
    }
  }

  private static func place(of report: CheckProcess.Report) -> String {
    for case .at(let place) in report.words.reversed() { return " in " + place }
    return ""
  }

  private static func outcome(
    of violation: (check: DriverCheck, reason: String)?, advice: String
  ) -> CheckFinding.Outcome {
    guard let violation else { return .passed(note: nil) }
    return .failed(
      reason: "\(violation.reason) (seen in \(violation.check.rawValue))", advice: advice)
  }

  private static func excerpt(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(60).map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}
