import ArgumentParser

/// `authcore driver …`
struct DriverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "driver",
    abstract: "Sensor drivers: see them and check them. Needs no core.",
    subcommands: [
      DriverListCommand.self, DriverInfoCommand.self, DriverCheckCommand.self,
    ])
}
