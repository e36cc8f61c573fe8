import DriverKit
import Glibc

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
