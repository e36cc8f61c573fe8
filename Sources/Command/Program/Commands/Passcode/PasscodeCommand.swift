import ArgumentParser

struct PasscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passcode", abstract: "Set, change or remove the owner's passcode.",
    subcommands: [
      PasscodeSetCommand.self, PasscodeChangeCommand.self, PasscodeRemoveCommand.self,
    ])
}
