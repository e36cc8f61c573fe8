import ArgumentParser
import Protocol

/// `authcore key list`
struct KeyListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys.")

  @Option(help: ArgumentHelp("Those of this access group.", valueName: "name"))
  var group: String?

  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    var query = KeyQuery()
    query.group = group
    let session = try invocation.openSession()
    let keys: [EnclaveKey]
    do throws(Failure) {
      keys = try (session.ask(FindKeys(query: query)) as FoundKeys).keys
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      keys = []
    }
    invocation.output.result(
      .object(["keys": .array(keys.map(\.json))]), KeyText.table(keys, invocation.output.paint))
    return .done
  }
}
