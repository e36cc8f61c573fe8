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
    var listing = ItemListing(for: invocation.output)
    do throws(Failure) {
      try session.find(query) { (items) in listing.add(items) }
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
    }
    listing.print(to: invocation.output)
    return .done
  }
}
