import ArgumentParser

struct SDKCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sdk",
    abstract: "Have Swift packages for Apple's systems build here.",
    subcommands: [SDKInstallCommand.self])
}
