import ArgumentParser
import CoreClient
import Protocol

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "app", "List the applications that keep something here, or forget one.",
    subcommands: [AppListCommand.self, AppForgetCommand.self])
}

private struct AppListCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "list", "List the applications that keep something in the keychain.",
    discussion: """
      An application has the name that the core uses: the path of its executable, authcore for \
      this command, or in the service //unit/… and //snap/…. Locked items are not counted.

          authcore app list
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let reply: FoundApplications = try invocation.openSession().ask(FindApplications())
    invocation.output.result(
      .object(["applications": .array(reply.applications.map(\.json))]),
      reply.applications.isEmpty
        ? ["No application keeps anything in the keychain."]
        : reply.applications.map { "\($0.application.printable): \($0.text)" })
  }
}

extension ApplicationHoldings {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(application), "items": .count(items), "keys": .count(keys),
      "shared": .count(shared),
    ])
  }

  var text: String {
    var parts: [String] = []
    if items > 0 { parts.append(ItemText.count(items)) }
    if keys > 0 { parts.append(ItemText.count(keys, "key")) }
    if shared > 0 { parts.append("\(shared) shared with it") }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}

private struct AppForgetCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "forget", "Remove everything that an application keeps in the keychain.",
    discussion: """
      Its items and keys are gone for good. What other applications share with it is shared no \
      longer. Items of groups that several applications name stay. The command asks first. If a \
      passcode is set, it also asks the owner for a touch or the passcode.

          authcore app forget /usr/bin/restic
      """)

  @Argument(help: ArgumentHelp("The application, as app list names it.", valueName: "name"))
  var application: String

  @OptionGroup var asking: YesOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let session = try invocation.openSession()
    if !asking.yes { try confirm(session, invocation) }
    let reply: ItemsChanged = try session.ask(
      ForgetApplication(application: application),
      invocation.promptOptions(reason: "Forget \(application.printable)"))
    invocation.output.result(
      .object(["removed": .count(reply.count)]),
      ["Forgot \(application.printable), and \(ItemText.count(reply.count)) with it."])
  }

  private func confirm(_ session: CoreSession, _ invocation: Invocation) throws(Failure) {
    let found: FoundApplications = try session.ask(FindApplications())
    let held = found.applications.first { $0.application.utf8.elementsEqual(application.utf8) }
    guard let held else {
      throw Failure(
        .errSecItemNotFound, "\(application.printable) has nothing in the keychain",
        hint: "authcore app list shows which applications have something.")
    }
    try invocation.confirm(
      "This removes what \(application.printable) has: \(held.text).", typing: "forget",
      otherwise: Failure(
        .notInteractive,
        "There is no terminal to ask whether to forget \(application.printable)",
        hint: "Add --yes to do it without asking."))
  }
}
