import ArgumentParser

struct KeychainFileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain", abstract: "Look whether the keychain's file is whole, and mend it.",
    subcommands: [KeychainCheckCommand.self, KeychainRepairCommand.self])
}
