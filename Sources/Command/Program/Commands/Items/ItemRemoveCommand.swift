import ArgumentParser
import Protocol

struct ItemRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an item. Nothing has to be proved for that, but it must be within reach.",
    discussion: "With --all it shows what would go, and asks; --yes says so beforehand.")

  @OptionGroup var selection: ItemSelection

  @Flag(help: "Remove all items that match, not only one.")
  var all = false

  @Flag(help: "With --all: remove them without a question.")
  var yes = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.selectingQuery()
    let session = try invocation.openSession()
    if all, !yes { try confirm(query, session, invocation) }
    let reply: ItemsChanged = try session.ask(RemoveItems(query: query, allowsSeveral: all))
    invocation.output.result(
      .object(["removed": .count(reply.count)]), ["Removed \(ItemText.count(reply.count))."])
    return .done
  }

  private func confirm(
    _ query: ItemQuery, _ session: CoreSession, _ invocation: Invocation
  ) throws(Failure) {
    let found = try session.find(query)
    let count = ItemText.count(UInt32(clamping: found.count))
    try invocation.confirm(
      "This removes \(count):", listing: found.map { ItemText.name($0) }, typing: "remove",
      otherwise: Failure(
        .notInteractive, "There is no terminal to ask on whether \(count) may be removed",
        hint: "Say so beforehand: --yes"))
  }
}
