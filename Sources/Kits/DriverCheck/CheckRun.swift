import DriverKit

/// Makes the one check that the program was started for.
struct CheckRun {
  let arguments: CheckArguments
  let report: CheckReporter

  init(_ arguments: CheckArguments, _ report: CheckReporter) {
    self.arguments = arguments
    self.report = report
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
