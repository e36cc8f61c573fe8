import ArgumentParser

struct FingerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finger", abstract: "Enroll, list, rename, remove or test fingers.",
    subcommands: [
      FingerEnrollCommand.self, FingerListCommand.self, FingerRenameCommand.self,
      FingerRemoveCommand.self, FingerTestCommand.self,
    ])
}
