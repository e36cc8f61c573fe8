import ArgumentParser
import ClientProtocol
import Wire

/// `authcore item get`
struct ItemGetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Write an item's secret to standard output, as it is.",
    discussion: "Asks for what the item says: a touch, the passcode.")

  @OptionGroup var selection: ItemSelection
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    let reply: GotItem = try invocation.openSession().ask(
      GetItem(query: query),
      invocation.promptOptions(reason: "Open " + ItemText.name(query)))
    if invocation.output.isJSON {
      reply.print(invocation.output)
    } else {
      invocation.output.secret(reply.secret.bytes)
      invocation.output.endSecretOnTerminal()
    }
    return .done
  }
}
