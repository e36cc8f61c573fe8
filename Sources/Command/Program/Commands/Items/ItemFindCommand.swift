import ArgumentParser
import Protocol

/// `authcore item find`
struct ItemFindCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Show the items that have these attributes; never a secret.",
    discussion: "Exit code 3 when there is none.")

  @OptionGroup var selection: ItemSelection
  @OptionGroup var order: ItemOrderOptions
  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    var listing = ItemListing(for: invocation.output, in: order)
    try invocation.openSession().find(order.request(query)) { (items) in listing.add(items) }
    guard listing.count > 0 else {
      throw Failure(
        .errSecItemNotFound, "There is no such item", hint: "authcore item list shows all.")
    }
    listing.print(to: invocation.output)
    return .done
  }
}
