import ArgumentParser

struct DriverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "driver",
    abstract: "Sensor drivers: see them, check them, make one. Needs no core.",
    subcommands: [
      DriverListCommand.self, DriverInfoCommand.self, DriverCheckCommand.self,
      DriverNewCommand.self, DriverUdevRulesCommand.self,
    ])
}
