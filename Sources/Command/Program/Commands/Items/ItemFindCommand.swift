import ArgumentParser
import CoreClient
import Protocol

/// `authcore item find`
struct ItemFindCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Show the items of a name or with these attributes; never a secret.",
    discussion: """
      A plain argument is looked for in services, servers and labels, at the beginning of every word, \
      and a second one in accounts. Exit code 3 when there is none.

          authcore item find github
      """)

  @OptionGroup var selection: ItemSelection
  @OptionGroup var order: ItemOrderOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    var listing = ItemListing(for: invocation.output, in: order)
    let session = try invocation.openSession()
    let lost = LostEntries(session)
    if let search = selection.search(for: .secret) {
      for item in try session.find(selection.queryBesideName())
      where search.closeness(of: item) != nil { try listing.add([item], lost) }
      // A closed item may be called so: the keychain says whether that can be told.
      if listing.count == 0 { _ = try session.find(query) }
    } else {
      try session.find(order.request(query)) { (items) throws(Failure) in
        try listing.add(items, lost)
      }
    }
    guard listing.count > 0 else {
      throw Failure(
        .errSecItemNotFound, "There is no such item", hint: "authcore item list shows all.")
    }
    listing.print(to: invocation.output)
    return .done
  }
}
