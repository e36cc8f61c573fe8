import CoreClient
import DriverKit

/// Shows the checks of a driver while they are made: each finding as it is made, and on a terminal
/// what is being done.
final class CheckProgress {
  private let output: Output
  /// How many checks have begun, and how many there are.
  private var number = 0
  private let count = DriverCheck.allCases.count
  private var title = ""
  private var shown = ContinuousClock.now

  /// A check says what it does thousands of times.
  private static let interval = Duration.milliseconds(100)

  init(_ output: Output) { self.output = output }

  func show(_ event: DriverExamination.Event) {
    switch event {
    case .began(let check):
      number += 1
      title = "\(number)/\(count)  \(check.rawValue)"
      shown = .now
      output.live(title + " …")
    case .at(let place):
      guard ContinuousClock.now - shown >= Self.interval else { return }
      shown = .now
      output.live("\(title): \(place.printable) …")
    case .log(let check, let line): output.note(CheckText.line(line, of: check))
    case .ended(let finding):
      for line in CheckText.lines(finding, output.paint) { output.line(line) }
    }
  }
}
