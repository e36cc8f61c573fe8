import Glibc
import LinuxSystem
package import PluginHosting
package import Protocol

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
  private let logs: Bool
  private let patienceMilliseconds: Int32

  /// - Parameters:
  ///   - driver: path of its file.
  ///   - device: what stands in for its device.
  ///   - options: it is opened with.
  ///   - installation: where the kit's own program and the transports lie.
  ///   - logs: whether lines of the log are heard of.
  ///   - patienceMilliseconds: how long a check's process may be silent before the driver counts as
  ///     hanging.
  /// - Throws: `driverNotFound`, `untrustedPlugin`, `coreFailed` about the files involved.
  package init(
    _ driver: String, device: CheckedDevice, options: [DriverArgument.Option],
    in installation: Installation, logs: Bool = false, patienceMilliseconds: Int32 = 20_000
  ) throws(Failure) {
    (self.logs, self.patienceMilliseconds) = (logs, patienceMilliseconds)
    self.driver = try TrustedFile(checking: driver).path
    (self.device, self.options, self.installation) = (device, options, installation)
    program = try TrustedFile(
      checking: installation.executableFolder + "/authcore-check-driver", missing: .coreFailed)
  }

  /// What there is to tell while the checks are made.
  package enum Event {
    case began(DriverCheck)
    /// What it is about to do.
    case at(String)
    /// What was written to the log.
    case log(DriverCheck, CheckLogLine)
    case ended(CheckFinding)
  }

  /// Makes the checks, in order.
  /// - Parameters:
  ///   - checks: which ones; all unless said otherwise.
  ///   - hear: hears what happens as it happens.
  /// - Returns: what became of each, in order.
  /// - Throws: `coreFailed` where a process cannot be started.
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
      let report = try process(for: check).run { word in
        switch word {
        case .at(let place, _): hear(.at(place))
        case .log(let line): hear(.log(check, line))
        case .passed, .failed, .notRun, .processHarmed: break
        }
      }
      return course.add(check, report, patienceMilliseconds: patienceMilliseconds)
    }
  }

  /// How the reason begins with which a driver that cannot be loaded at all fails its first check.
  package static let unloadable = "cannot be loaded"

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
    return CheckProcess(launch: launch, patienceMilliseconds: patienceMilliseconds)
  }

  private func transport(_ name: String) throws(Failure) -> String {
    try installation.search.transport(name).path
  }
}

/// What stands in for the device while a driver is checked.
package struct CheckedDevice: Equatable, Sendable {
  /// The path of a device model: a plugin with the one symbol of model.h.
  package var model: String?
  /// The path of recorded traffic.
  package var recording: String?
  /// Which device of the recording is meant, `298d:1010` or `1.44`; "" for the one that the driver
  /// handles.
  package var recordedDevice: String

  /// Either may be there, both, or none.
  package init(model: String? = nil, recording: String? = nil, recordedDevice: String = "") {
    (self.model, self.recording, self.recordedDevice) = (model, recording, recordedDevice)
  }

  /// The model that lies beside a driver: `NAME-model.so` beside `NAME.so`.
  package static func model(beside driver: String) -> String? {
    let suffix = ".so"
    guard driver.hasSuffix(suffix) else { return nil }
    let path = String(driver.dropLast(suffix.utf8.count)) + "-model" + suffix
    guard let canonical = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(canonical) }
    return unsafe String(cString: canonical)
  }
}
