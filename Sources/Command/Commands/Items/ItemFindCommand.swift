import ArgumentParser
import ClientProtocol
import Wire

/// `authcore item find`
struct ItemFindCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Show the items that have these attributes; never a secret.",
    discussion: "Exit code 3 when there is none.")

  @OptionGroup var selection: ItemSelection
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    let reply: FoundItems = try invocation.openSession().ask(FindItems(query: query))
    guard !reply.items.isEmpty else {
      throw Failure(
        .errSecItemNotFound, "There is no such item", hint: "authcore item list shows all.")
    }
    invocation.output.result(reply.json, ItemText.table(reply.items, invocation.output.paint))
    return .done
  }
}
