import ArgumentParser

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Keep items in a file that a passphrase encrypts, and bring them back.",
    subcommands: [
      BackupCreateCommand.self, BackupRestoreCommand.self, BackupInspectCommand.self,
    ])
}
