import ArgumentParser
import Protocol

struct KeychainFileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain", abstract: "Look whether the keychain's file is whole, and mend it.",
    subcommands: [KeychainCheckCommand.self, KeychainRepairCommand.self])
}

struct KeychainCheckCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look at the keychain's file and at everything in it.",
    discussion:
      """
      Changes nothing and asks for nothing. What a locked device keeps closed is counted, not looked \
      into. Exit code 5 when something is damaged.
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let reply: KeychainChecked = try invocation.openSession().ask(CheckKeychain())
    let findings = reply.findings
    invocation.output.result(
      KeychainText.json(findings), KeychainText.lines(ofChecking: findings))
    return findings.isDamaged ? .keychainDamaged : .done
  }
}

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
