import ArgumentParser
import ClientProtocol
import Wire

/// `authcore item list`
struct ItemListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items, all or those with these attributes.")

  @OptionGroup var selection: ItemSelection
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    let session = try invocation.openSession()
    let items: [ItemAttributes]
    do throws(Failure) {
      items = try (session.ask(FindItems(query: query)) as FoundItems).items
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      items = []
    }
    invocation.output.result(
      FoundItems(items: items).json, ItemText.table(items, invocation.output.paint))
    return .done
  }
}
