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
