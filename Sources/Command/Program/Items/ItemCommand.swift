import ArgumentParser
import CoreClient
import Glibc
import Protocol

struct ItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "item",
    abstract: "Keep small secrets: add, get, find, list, update, remove, share, copy, generate.",
    subcommands: [
      ItemAddCommand.self, ItemGetCommand.self, ItemFindCommand.self, ItemListCommand.self,
      ItemUpdateCommand.self, ItemRemoveCommand.self, ItemShareCommand.self,
      ItemCopyCommand.self, ItemGenerateCommand.self,
    ])
}

struct ItemListCommand: KeychainCommand {
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

struct ItemFindCommand: KeychainCommand {
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

struct ItemRemoveCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an item. Nothing has to be proved for that, but it must be within reach.",
    discussion: "With --all it shows what would go, and asks; --yes says so beforehand.")

  @OptionGroup var selection: ItemSelection

  @Flag(help: "Remove all items that match, not only one.")
  var all = false

  @Flag(help: "With --all: remove them without a question.")
  var yes = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.selectingQuery()
    let session = try invocation.openSession()
    if all, !yes { try confirm(query, session, invocation) }
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
        .notInteractive, "There is no terminal to ask on whether \(count) may be removed",
        hint: "Say so beforehand: --yes"))
  }
}

struct ItemShareCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Let another program find and open an item of the command's, or no longer.",
    discussion: """
      The program is the file at --with; an interpreter stands for everything it runs. It can open \
      the item as the item says, and neither change nor remove it. Where a passcode is set, the owner \
      is asked; nobody is for --end.

          authcore item share backup --with /usr/bin/restic
      """)

  @OptionGroup var selection: ItemSelection

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp("The program's executable.", valueName: "application"),
    completion: .file())
  var application: String

  @Flag(help: "Share it with that program no longer.")
  var end = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.selectingQuery()
    let program = try program()
    let reply: ItemAdded = try invocation.openSession().ask(
      ShareItem(query: query, application: program, isShared: !end),
      invocation.promptOptions(
        reason: "Share \(ItemText.name(query)) with \(program.printable)"))
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
      throw Failure(
        .usage, "There is no program \(application.printable): \(Self.reason)",
        hint: "Name its file, such as /usr/bin/git.")
    }
    defer { unsafe free(path) }
    guard let text = unsafe String(validatingCString: path), text.utf8.count <= longestApplication
    else {
      throw Failure(
        .usage, "The path of \(application.printable) is no text, or too long to name a program by",
        hint: "Give it a shorter name of letters: a link does not do.")
    }
    return text
  }

  private static var reason: String { unsafe String(cString: strerror(errno)) }
}
