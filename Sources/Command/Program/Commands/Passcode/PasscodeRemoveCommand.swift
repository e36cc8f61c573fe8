import ArgumentParser
import CoreClient
import Protocol

struct PasscodeRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove the passcode, all fingers, and every item that depends on them.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let session = try invocation.openSession()
    if let terminal = invocation.terminal { try confirm(terminal, invocation) }
    let reply: ItemsChanged = try session.request(
      RemovePasscode(options: invocation.promptOptions(reason: "Remove the passcode")))
    let items = reply.count == 1 ? "1 item" : "\(reply.count) items"
    invocation.output.result(
      .object(["itemsRemoved": .count(reply.count)]),
      ["The passcode and all fingers are removed, and \(items) with them."])
    return .done
  }

  private func confirm(_ terminal: Terminal, _ invocation: Invocation) throws(Failure) {
    invocation.output.note(
      """
      This removes all fingers, every item behind access control and every item of the class
      when-passcode-set-this-device-only. It cannot be undone.
      """)
    let answer = try terminal.ask(
      "Type remove to go on: ", invocation.output, invocation.interrupts)
    guard answer == "remove" else { throw Failure(.userCancel, "Nothing was removed") }
  }
}
