import ArgumentParser
import Protocol

struct ItemListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items, all or those with these attributes.",
    discussion: """
      In the order in which they were added, or as --sort says. Behind biometry-current nothing opens \
      an item once a finger was added or removed; the list says so.

          authcore item list --sort modified --reverse --limit 10
      """)

  @OptionGroup var selection: ItemSelection
  @OptionGroup var order: ItemOrderOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    let session = try invocation.openSession()
    var listing = ItemListing(for: invocation.output, in: order)
    let lost = LostEntries(session)
    do throws(Failure) {
      try session.find(order.request(query)) { (items) throws(Failure) in
        try listing.add(items, lost)
      }
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
    }
    listing.print(to: invocation.output)
    return .done
  }
}
