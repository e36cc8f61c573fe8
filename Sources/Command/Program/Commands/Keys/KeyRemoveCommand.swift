import ArgumentParser
import CoreClient
import Protocol

/// `authcore key remove`
struct KeyRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a key for good: what was encrypted for it stays so.",
    discussion: "Nothing has to be proved for that, but the key must be within reach.")

  @OptionGroup var key: KeyName
  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try key.query()
    let reply: ItemsChanged = try invocation.openSession().ask(RemoveKey(query: query))
    invocation.output.result(
      .object(["removed": .count(reply.count)]), ["Removed the key \(key.name.printable)."])
    return .done
  }
}
