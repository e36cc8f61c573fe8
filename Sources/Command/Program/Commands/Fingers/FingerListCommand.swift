import ArgumentParser
import Protocol

struct FingerListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the enrolled fingers.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let reply: FingerList = try invocation.openSession().ask(ListFingers())
    invocation.output.result(
      .object(["fingers": .array(reply.fingers.map(\.json))]),
      FingerText.table(reply.fingers, invocation.output.paint))
    return .done
  }
}
