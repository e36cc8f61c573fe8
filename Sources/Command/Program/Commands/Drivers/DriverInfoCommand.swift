import ArgumentParser
import CoreClient
import PluginHosting
import Protocol

struct DriverInfoCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show what a driver says about itself.")

  @Argument(help: "Its name or path.", completion: .drivers)
  var driver: String

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let argument = DriverArgument(nameOrPath: driver, options: []).resolved(
      relativeTo: invocation.environment.workingFolder)
    let found = try invocation.catalog(.current(isService: false)).driver(argument.nameOrPath)
    let output = invocation.output
    output.result(DriverText.json(found), DriverText.facts(found, output.paint))
    return .done
  }
}
