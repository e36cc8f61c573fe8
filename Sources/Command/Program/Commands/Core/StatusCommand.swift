import ArgumentParser
import Protocol

struct StatusCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the sensor, the engines, and whether the device is locked.")

  @Flag(help: "Show the paths of driver and engines, too.")
  var verbose = false

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .imagined }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let status = try invocation.openSession().status()
    invocation.output.result(
      status.json, StatusText.lines(status, paths: verbose, invocation.output.paint))
    return .done
  }
}
