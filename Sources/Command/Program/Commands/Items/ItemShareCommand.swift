import ArgumentParser
import CoreClient
import Glibc
import Protocol

struct ItemShareCommand: ClientCommand {
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

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
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
    return .done
  }

  /// As the core names the program. One whose file is gone has to be named as `item list --json`
  /// shows it.
  private func program() throws(Failure) -> String {
    // Units and snaps have no file: docs/decisions/0043.
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
