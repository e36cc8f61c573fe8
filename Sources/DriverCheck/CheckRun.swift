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
    case .layout: try LayoutCheck(bench()).run()
    case .arguments: try ArgumentCheck(bench()).run()
    case .opening: try OpeningCheck(bench()).run()
    case .frames: try FrameCheck(bench()).run()
    case .lifting: try LiftCheck(bench()).run()
    case .deadlines: try DeadlineCheck(bench()).run()
    case .interruption: try InterruptionCheck(bench()).run()
    case .threads: try ThreadCheck(bench()).run()
    case .repetition: try RepetitionCheck(bench()).run()
    case .unplugging: try UnpluggingCheck(bench()).run()
    case .stalls: try FaultCheck(bench(), .stall).run()
    case .shortAnswers: try FaultCheck(bench(), .short).run()
    case .garbage: try FaultCheck(bench(), .garbage).run()
    case .hesitation: try FaultCheck(bench(), .nak).run()
    case .silence: try FaultCheck(bench(), .silent).run()
    case .recording: try RecordingCheck(bench()).run()
    case .sandbox, .process, .output:
      throw .notRun("the kit sees to it itself")
    }
  }

  private func bench() throws(CheckEnd) -> Bench { try Bench(arguments, report) }
}
