// authcore-check-driver: runs one check of a driver, in a process that the driver may take down.

import DriverKit
import Glibc

/// The program that `authcore driver check` starts for each check. It reports on descriptor 3.
@main
enum CheckProgram {
  static func main() {
    guard let arguments = CheckArguments(CommandLine.arguments.dropFirst()) else {
      // Only the kit calls this program.
      exit(64)
    }
    let reporter = CheckReporter()
    let before = ProcessCondition()
    let end: CheckEnd
    do throws(CheckEnd) {
      end = .passed(note: try CheckRun(arguments: arguments, report: reporter).run())
    } catch {
      end = error
    }
    for reason in before.differences(from: ProcessCondition()) {
      reporter.say(.processHarmed(reason: reason))
    }
    reporter.say(end.word)
    // Skips the driver's destructors.
    _exit(0)
  }
}

/// How a check ended. All but `passed` are thrown.
enum CheckEnd: Error {
  case passed(note: String?)
  /// Which rule is broken, and where that was seen. The rule is the cause unless another is given.
  case failed(String, at: String? = nil, advice: String? = nil, cause: CheckCause? = nil)
  case notRun(String)

  var word: CheckReportLine {
    switch self {
    case .passed(let note): .passed(note: note)
    case .failed(let reason, let place, let advice, let cause):
      .failed(
        reason: reason + (place.map { " (\($0))" } ?? ""), advice: advice,
        cause: cause ?? CheckCause(own: reason))
    case .notRun(let reason): .notRun(reason: reason)
    }
  }
}

/// The program's arguments: `--check NAME --driver PATH`, then `--transport PATH` with `--model
/// PATH` or with `--recording PATH` and `--recorded-device TEXT`, `--log on` to report lines of the
/// log, and any number of `--option NAME=VALUE`.
struct CheckArguments {
  let check: DriverCheck
  let driver: String
  private(set) var transport: String?
  private(set) var model: String?
  private(set) var recording: String?
  /// Which device of the recording, or "" for one that the driver handles.
  private(set) var recordedDevice = ""
  private(set) var logs = false
  private(set) var options: [(name: String, value: String)] = []

  init?(_ arguments: some Sequence<String>) {
    var check: DriverCheck?
    var driver: String?
    var iterator = arguments.makeIterator()
    while let name = iterator.next() {
      guard let value = iterator.next() else { return nil }
      switch name {
      case "--check": check = DriverCheck(rawValue: value)
      case "--driver": driver = value
      case "--transport": transport = value
      case "--model": model = value
      case "--recording": recording = value
      case "--recorded-device": recordedDevice = value
      case "--log": logs = value == "on"
      case "--option":
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        options.append((String(parts[0]), String(parts[1])))
      default: return nil
      }
    }
    guard let check, let driver else { return nil }
    (self.check, self.driver) = (check, driver)
  }
}

/// Runs the check that the program was started for.
struct CheckRun {
  let arguments: CheckArguments
  let report: CheckReporter

  /// - Returns: what was measured, if anything.
  /// - Throws: how the check ended, if it did not pass.
  func run() throws(CheckEnd) -> String? {
    switch arguments.check {
    case .symbols: try SymbolCheck(arguments: arguments, report: report).run()
    case .loading: try LoadingCheck(arguments: arguments, report: report).run()
    case .versions: try VersionCheck(arguments: arguments, report: report).run()
    case .layout: try LayoutCheck(loaded()).run()
    case .arguments: try ArgumentCheck(loaded: loaded()).run()
    case .opening: try OpeningCheck(loaded: loaded()).run()
    case .frames: try FrameCheck(loaded: loaded()).run()
    case .lifting: try LiftCheck(loaded: loaded()).run()
    case .fresh: try FreshCheck(loaded: loaded()).run()
    case .deadlines: try DeadlineCheck(loaded: loaded()).run()
    case .interruption: try InterruptionCheck(loaded: loaded()).run()
    case .threads: try ThreadCheck(loaded: loaded()).run()
    case .repetition: try RepetitionCheck(loaded: loaded()).run()
    case .unplugging: try UnpluggingCheck(loaded: loaded()).run()
    case .stalls: try FaultCheck(loaded: loaded(), fault: .stall).run()
    case .shortAnswers: try FaultCheck(loaded: loaded(), fault: .short).run()
    case .garbage: try FaultCheck(loaded: loaded(), fault: .garbage).run()
    case .hesitation: try FaultCheck(loaded: loaded(), fault: .nak).run()
    case .silence: try FaultCheck(loaded: loaded(), fault: .silent).run()
    case .recording: try RecordingCheck(loaded: loaded()).run()
    case .sandbox, .process, .output:
      throw .notRun("the kit sees to it itself")
    }
  }

  private func loaded() throws(CheckEnd) -> LoadedTestDriver {
    try LoadedTestDriver(arguments, report)
  }
}

/// Writes the lines of the report to descriptor 3.
struct CheckReporter {
  private static let descriptor: Int32 = 3

  /// What is about to be done and what was done to the device, in case it is the last thing.
  func at(_ place: String, disturbance: String? = nil) {
    say(.at(place, disturbance: disturbance))
  }

  func say(_ word: CheckReportLine) {
    let bytes = Array((word.line + "\n").utf8)
    // If this fails, the parent is gone.
    _ = unsafe write(Self.descriptor, bytes, bytes.count)
  }
}
