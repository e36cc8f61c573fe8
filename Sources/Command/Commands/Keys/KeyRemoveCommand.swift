import ArgumentParser
import ClientProtocol
import Wire

/// `authcore key remove`
struct KeyRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a key for good: what was encrypted for it stays so.",
    discussion: "Nothing has to be proved for that, but the key must be within reach.")

  @OptionGroup var key: KeyName
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let name = try key.checked()
    let reply: ItemsChanged = try invocation.openSession().ask(
      RemoveKey(query: KeyQuery(name: name)))
    invocation.output.result(
      .object(["removed": .count(reply.count)]), ["Removed the key \(name.printable)."])
    return .done
  }
}
