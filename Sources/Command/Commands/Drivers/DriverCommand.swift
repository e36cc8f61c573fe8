import ArgumentParser

/// `authcore driver …`
struct DriverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "driver", abstract: "See which sensor drivers there are. Needs no core.",
    subcommands: [DriverListCommand.self, DriverInfoCommand.self])
}
