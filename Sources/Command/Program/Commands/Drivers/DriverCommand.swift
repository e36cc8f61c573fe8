import ArgumentParser
import CoreClient
import DriverKit
import PluginHosting
import Protocol

struct DriverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "driver",
    abstract: "Sensor drivers: see them, check them, make one. Needs no core.",
    subcommands: [
      DriverListCommand.self, DriverInfoCommand.self, DriverCheckCommand.self,
      DriverNewCommand.self, DriverUdevRulesCommand.self,
    ])
}

struct DriverListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the drivers that are found, and those that cannot be used."
  )

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let entries = invocation.catalog(.current(isService: false)).all()
    let output = invocation.output
    output.result(DriverText.json(entries), DriverText.table(entries, output.paint))
    return .done
  }
}

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

struct DriverUdevRulesCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "udev-rules",
    abstract: "Print udev rules for the readers that the installed drivers handle.",
    discussion: "Install them: authcore driver udev-rules | sudo tee \(UdevRules.file)")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    var drivers: [DriverDescription] = []
    for entry in invocation.catalog(.current(isService: false)).all() {
      switch entry.result {
      case .success(let driver): drivers.append(driver.description)
      case .failure(let failure):
        // Standard output is the rules' file.
        invocation.output.note("Left out: " + failure.message.printable)
      }
    }
    let rules = UdevRules(drivers)
    invocation.output.result(Self.json(rules), rules.lines.map(\.printable))
    return .done
  }

  private static func json(_ rules: UdevRules) -> JSONValue {
    .object([
      "file": .string(UdevRules.file), "rules": .string(rules.lines.joined(separator: "\n") + "\n"),
      "drivers": .array(
        rules.groups.map { group in
          .object([
            "name": .string(group.name), "devices": .array(group.devices.map { .string($0.text) }),
          ])
        }),
    ])
  }
}
