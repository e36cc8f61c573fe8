import ArgumentParser
import CoreClient
import Protocol

/// `authcore app list`
struct AppListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the applications that keep something in the keychain.",
    discussion: """
      An application is called as the core names it: by the path of its executable, authcore for the \
      command itself, and in the service //unit/… and //snap/… . What is locked away is not counted.

          authcore app list
      """)

  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let reply: FoundApplications = try invocation.openSession().ask(FindApplications())
    invocation.output.result(
      .object(["applications": .array(reply.applications.map(\.json))]),
      reply.applications.isEmpty
        ? ["No application keeps anything in the keychain."]
        : reply.applications.map { "\($0.application.printable): \($0.text)" })
    return .done
  }
}

extension ApplicationHoldings {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(application), "items": .count(items), "keys": .count(keys),
      "shared": .count(shared),
    ])
  }

  /// What it has, for people.
  var text: String {
    var parts: [String] = []
    if items > 0 { parts.append(ItemText.count(items)) }
    if keys > 0 { parts.append(keys == 1 ? "1 key" : "\(keys) keys") }
    if shared > 0 { parts.append("\(shared) shared with it") }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
