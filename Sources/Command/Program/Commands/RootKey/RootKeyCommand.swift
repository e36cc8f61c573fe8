import ArgumentParser

struct RootKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "root-key", abstract: "Move the secret of this device into the TPM, or out of it.",
    subcommands: [RootKeyMigrateCommand.self])
}
