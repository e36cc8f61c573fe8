import ArgumentParser
import PluginHosting
import Protocol

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
