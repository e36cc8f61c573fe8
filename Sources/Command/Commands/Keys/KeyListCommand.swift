import ArgumentParser
import ClientProtocol
import Wire

/// `authcore key list`
struct KeyListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let keys: [EnclaveKey]
    do throws(Failure) {
      keys = try (invocation.openSession().ask(FindKeys(query: KeyQuery())) as FoundKeys).keys
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      keys = []
    }
    invocation.output.result(
      .object(["keys": .array(keys.map(\.json))]), KeyText.table(keys, invocation.output.paint))
    return .done
  }
}
