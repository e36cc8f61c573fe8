import ArgumentParser
import Protocol

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
