import ArgumentParser
import Protocol

/// `authcore item list`
struct ItemListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items, all or those with these attributes.",
    discussion: """
      In the order in which they were added, or as --sort says.

          authcore item list --sort modified --reverse --limit 10
      """)

  @OptionGroup var selection: ItemSelection
  @OptionGroup var order: ItemOrderOptions
  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    let session = try invocation.openSession()
    var listing = ItemListing(for: invocation.output, in: order)
    do throws(Failure) {
      try session.find(order.request(query)) { (items) in listing.add(items) }
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
    }
    listing.print(to: invocation.output)
    return .done
  }
}
