import ArgumentParser
import CoreClient
import Glibc
import Protocol

struct ItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "item", "Keep small secrets: add, get, find, list, update, remove, share, copy, generate.",
    subcommands: [
      ItemAddCommand.self, ItemGetCommand.self, ItemFindCommand.self, ItemListCommand.self,
      ItemUpdateCommand.self, ItemRemoveCommand.self, ItemShareCommand.self,
      ItemCopyCommand.self, ItemGenerateCommand.self,
    ])
}

private struct ItemListCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "list", "List all items, or those with these attributes.",
    discussion: """
      Items are in the order in which they were added, or as --sort says. The list marks items \
      behind biometry-current that nothing opens any more, because a finger was added or removed.

          authcore item list --sort modified --reverse --limit 10
      """)

  @OptionGroup var selection: ItemSelection
  @OptionGroup var order: ItemOrderOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.query()
    let session = try invocation.openSession()
    var listing = ItemListing(for: invocation.output, in: order)
    let lost = LostEntries(session)
    _ = try ifFound { () throws(Failure) in
      try session.find(order.request(query)) { (items) throws(Failure) in
        try listing.add(items, lost)
      }
    }
    listing.print(to: invocation.output)
  }
}

private struct ItemFindCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "find", "Show items by name or attributes, never a secret.",
    discussion: """
      A plain argument is searched for in services, servers and labels, at the beginning of every \
      word. A second one is searched for in accounts. Exits with 3 if there is no such item.

          authcore item find github
      """)

  @OptionGroup var selection: ItemSelection
  @OptionGroup var order: ItemOrderOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.query()
    var listing = ItemListing(for: invocation.output, in: order)
    let session = try invocation.openSession()
    let lost = LostEntries(session)
    if let search = selection.search(for: .secret) {
      for item in try session.find(selection.queryBesideName())
      where search.closeness(of: item) != nil { try listing.add([item], lost) }
      // A locked item may have that name. The keychain knows.
      if listing.count == 0 { _ = try session.find(query) }
    } else {
      try session.find(order.request(query)) { (items) throws(Failure) in
        try listing.add(items, lost)
      }
    }
    guard listing.count > 0 else {
      throw .noSuchItem
    }
    listing.print(to: invocation.output)
  }
}

private struct ItemRemoveCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove an item. This needs no proof, but the item must be within reach.",
    discussion: """
      With --all, it shows what would go, and asks.
      """)

  @OptionGroup var selection: ItemSelection

  @Flag(help: "Remove all items that match, not only one.")
  var all = false

  @OptionGroup var asking: YesOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.selectingQuery()
    let session = try invocation.openSession()
    if all, !asking.yes { try confirm(query, session, invocation) }
    let reply: ItemsChanged = try session.ask(RemoveItems(query: query, allowsSeveral: all))
    invocation.output.result(
      .object(["removed": .count(reply.count)]), ["Removed \(ItemText.count(reply.count))."])
  }

  private func confirm(
    _ query: ItemQuery, _ session: CoreSession, _ invocation: Invocation
  ) throws(Failure) {
    let found = try session.find(query)
    let count = ItemText.count(found.count)
    try invocation.confirm(
      "This removes \(count):", listing: found.map { ItemText.name($0) }, typing: "remove",
      otherwise: Failure(
        .notInteractive, "There is no terminal to ask whether to remove \(count)",
        hint: "Add --yes to do it without asking."))
  }
}

private struct ItemShareCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "share", "Let another program find and open an item, or stop sharing it.",
    discussion: """
      The program is the executable that --with names. An interpreter stands for everything that \
      it runs. The program can open the item as the item allows, but cannot change or remove it. \
      If a passcode is set, the owner is asked. --end asks nobody.

          authcore item share backup --with /usr/bin/restic
      """)

  @OptionGroup var selection: ItemSelection

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp("The program's executable.", valueName: "application"),
    completion: .file())
  var application: String

  @Flag(help: "Stop sharing it with that program.")
  var end = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.selectingQuery()
    let program = try program()
    let reply: ItemAdded = try invocation.openSession().ask(
      ShareItem(query: query, application: program, isShared: !end),
      invocation.promptOptions(reason: "Share \(ItemText.name(query)) with \(program.printable)"))
    let name = ItemText.name(reply.attributes)
    invocation.output.result(
      .object(["item": reply.attributes.json]),
      [
        end
          ? "\(name) is shared with \(program.printable) no longer."
          : "Shared \(name) with \(program.printable)."
      ])
  }

  /// The program as the core names it. If its file is gone, it must be given as `item list --json`
  /// shows it.
  private func program() throws(Failure) -> String {
    // Units and snaps have no file (docs/decisions/0043).
    if application.hasPrefix("//") { return application }
    guard let path = unsafe realpath(application, nil) else {
      if end, application.hasPrefix("/") { return application }
      throw .usage(
        "There is no program \(application.printable): \(Self.reason)",
        hint: "Name its file, such as /usr/bin/git.")
    }
    defer { unsafe free(path) }
    guard let text = unsafe String(validatingCString: path), text.utf8.count <= longestApplication
    else {
      throw .usage(
        "The path of \(application.printable) is not UTF-8, or too long to name a program",
        hint: "Give it a shorter name of letters: a link does not do.")
    }
    return text
  }

  private static var reason: String { unsafe String(cString: strerror(errno)) }
}
