import ArgumentParser
import CoreClient
import DriverKit
import PluginHosting
import Protocol

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
