import ArgumentParser
import Protocol

struct KeychainRepairCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Put what can be read of a damaged keychain into a new file.",
    discussion:
      """
      The damaged file is kept beside it as it is. Unlock the device first: what it keeps closed is \
      taken over without being looked into. Nothing is done where nothing is damaged.
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let reply: KeychainRepaired = try invocation.openSession().ask(RepairKeychain())
    invocation.output.result(KeychainText.json(reply), KeychainText.lines(ofRepairing: reply))
    return .done
  }
}
