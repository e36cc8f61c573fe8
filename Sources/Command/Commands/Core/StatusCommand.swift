import ArgumentParser
import ClientProtocol
import Wire

/// `authcore status`
struct StatusCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the sensor, the engines, and whether the device is locked.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let status: CoreStatus = try invocation.openSession().request(GetStatus())
    invocation.output.result(status.json, StatusText.lines(status, invocation.output.paint))
    return .done
  }
}
