import ArgumentParser
import Protocol

struct DoctorCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out why it does not work, and the command that mends it.",
    discussion: """
      Exit code 0 whatever it finds; each finding says what to do. With --driver it also opens that driver's device.
      """)

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .imagined }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let findings = Examination(invocation).findings()
    let output = invocation.output
    output.result(FindingText.json(findings), FindingText.lines(findings, output.paint))
    return .done
  }
}
