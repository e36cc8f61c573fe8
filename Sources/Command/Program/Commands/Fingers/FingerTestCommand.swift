import ArgumentParser
import Protocol

/// `authcore finger test`
struct FingerTestCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Compare one touch with the enrolled fingers.",
    discussion:
      "Counts as an attempt like any other and releases nothing. Exit code 0 on a match, 1 without."
  )

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let reply = try invocation.openSession().test(
      invocation.promptOptions())
    invocation.output.result(reply.json, [reply.sentence(invocation.output.paint)])
    return reply.isMatch ? .done : .noMatch
  }
}
