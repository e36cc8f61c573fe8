import ArgumentParser
import CoreClient
import DriverKit
import PluginHosting
import Protocol

struct DriverCheckCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a driver against the rules of the plugin interface.",
    discussion: """
      Every check runs in a process of its own, which the driver may take down. What needs a device uses a device model \
      (NAME-model.so beside NAME.so, unless --model names another); recorded traffic is played as well.
      What comes of a mistake that an earlier check has found is not said again.
      Ends with 0 when everything that was run passes, with 5 when something fails.
      """)

  @Argument(
    help: ArgumentHelp(
      "The driver's path or name, then its options.", valueName: "path[:key=value,…]"),
    completion: .file(extensions: ["so"]))
  var driver: String

  @Option(
    help: ArgumentHelp("A device model to use as the device.", valueName: "file"),
    completion: .file(extensions: ["so"]))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Recorded traffic to play: pcapng, umockdev or text; behind ':' which of its devices.",
      valueName: "file[:vvvv:pppp]"),
    completion: .file())
  var traffic: String?

  @Flag(help: "Show on standard error what driver, transport and device model write to the log.")
  var log = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let folder = invocation.environment.workingFolder
    let argument = try DriverArgument(parsing: driver).resolved(relativeTo: folder)
    let installation = Installation.current(isService: false)
    let path =
      argument.isPath
      ? argument.nameOrPath
      : try invocation.catalog(installation).driver(argument.nameOrPath).path
    let examination = try DriverExamination(
      path, device: device(beside: path, invocation), options: argument.options, in: installation,
      logs: log)
    let output = invocation.output
    for line in CheckText.heading(examination) { output.line(line) }
    let progress = CheckProgress(output)
    let findings = try examination.run { progress.show($0) }
    output.clearLive()
    output.result(
      CheckText.json(findings, examination), ["", CheckText.summary(findings, output.paint)])
    return findings.contains(where: \.isFailure) ? .driverFailed : .done
  }

  private func device(beside path: String, _ invocation: Invocation) -> CheckedDevice {
    let recorded = traffic.map { DeviceArgument.separatingRecordedDevice($0) }
    return CheckedDevice(
      model: model.map(invocation.environment.absolute) ?? CheckedDevice.model(beside: path),
      recording: (recorded?.path).map(invocation.environment.absolute),
      recordedDevice: recorded?.device ?? "")
  }
}
