import ArgumentParser

struct SensorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensor",
    abstract: "Look at what a sensor delivers, for authors of drivers. Needs no core.",
    subcommands: [
      SensorWatchCommand.self, SensorCaptureCommand.self, SensorRecordCommand.self,
    ])
}
