import ArgumentParser
import ClientProtocol
import Wire

/// `authcore item remove`
struct ItemRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an item. Nothing has to be proved for that, but it must be within reach.")

  @OptionGroup var selection: ItemSelection

  @Flag(help: "Remove all items that match, not only one.")
  var all = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    let reply: ItemsChanged = try invocation.openSession().ask(
      RemoveItems(query: query, allowsSeveral: all))
    invocation.output.result(
      .object(["removed": .count(reply.count)]), ["Removed \(ItemText.count(reply.count))."])
    return .done
  }
}
