// authcore-check-driver: makes one check of a driver in a process that it may take down with it.

import DriverKit
import Glibc

/// The program that `authcore driver check` starts for each check. It reports on descriptor 3.
@main
enum CheckProgram {
  static func main() {
    guard let arguments = CheckArguments(CommandLine.arguments.dropFirst()) else {
      // Nobody but the kit calls it, and what it says is no part of any contract.
      exit(64)
    }
    let reporter = CheckReporter()
    let before = ProcessCondition()
    let end: CheckEnd
    do throws(CheckEnd) {
      end = .passed(note: try CheckRun(arguments, reporter).run())
    } catch {
      end = error
    }
    for reason in before.differences(from: ProcessCondition()) {
      reporter.say(.processHarmed(reason: reason))
    }
    reporter.say(end.word)
    // Destructors of the driver's have no place in the report.
    _exit(0)
  }
}

/// How a check ended; all but the first are thrown.
enum CheckEnd: Error {
  case passed(note: String?)
  /// What rule is broken and, apart from it, where that was seen; the cause is the rule's unless
  /// another one is given.
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

/// What the kit tells the program: `--check NAME --driver PATH`, then `--transport PATH` with
/// `--model PATH` or `--recording PATH` and `--recorded-device TEXT`, `--log on` where lines of the
/// log are wanted, and `--option NAME=VALUE` as often as needed.
struct CheckArguments {
  let check: DriverCheck
  let driver: String
  private(set) var transport: String?
  private(set) var model: String?
  private(set) var recording: String?
  /// Which device of the recording is meant; "" for one that the driver handles.
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

/// Makes the one check that the program was started for.
struct CheckRun {
  let arguments: CheckArguments
  let report: CheckReporter

  init(_ arguments: CheckArguments, _ report: CheckReporter) {
    (self.arguments, self.report) = (arguments, report)
  }

  /// - Returns: what was measured, where something was.
  /// - Throws: how the check ended, where it did not pass.
  func run() throws(CheckEnd) -> String? {
    switch arguments.check {
    case .symbols: try SymbolCheck(arguments, report).run()
    case .loading: try LoadingCheck(arguments, report).run()
    case .versions: try VersionCheck(arguments, report).run()
    case .layout: try LayoutCheck(loaded()).run()
    case .arguments: try ArgumentCheck(loaded()).run()
    case .opening: try OpeningCheck(loaded()).run()
    case .frames: try FrameCheck(loaded()).run()
    case .lifting: try LiftCheck(loaded()).run()
    case .deadlines: try DeadlineCheck(loaded()).run()
    case .interruption: try InterruptionCheck(loaded()).run()
    case .threads: try ThreadCheck(loaded()).run()
    case .repetition: try RepetitionCheck(loaded()).run()
    case .unplugging: try UnpluggingCheck(loaded()).run()
    case .stalls: try FaultCheck(loaded(), .stall).run()
    case .shortAnswers: try FaultCheck(loaded(), .short).run()
    case .garbage: try FaultCheck(loaded(), .garbage).run()
    case .hesitation: try FaultCheck(loaded(), .nak).run()
    case .silence: try FaultCheck(loaded(), .silent).run()
    case .recording: try RecordingCheck(loaded()).run()
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

  /// What is about to be done and what was done to the device, for the case that it is the last
  /// thing.
  func at(_ place: String, disturbance: String? = nil) {
    say(.at(place, disturbance: disturbance))
  }

  func say(_ word: CheckReportLine) {
    let bytes = Array((word.line + "\n").utf8)
    // A parent that is gone needs no report.
    _ = unsafe write(Self.descriptor, bytes, bytes.count)
  }
}
