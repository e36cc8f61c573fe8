import ArgumentParser
import CoreClient
import DriverKit
import PluginHosting
import Protocol

struct DriverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "driver", "List, check or make sensor drivers. Needs no core.",
    subcommands: [
      DriverListCommand.self, DriverInfoCommand.self, DriverCheckCommand.self,
      DriverNewCommand.self, DriverUdevRulesCommand.self,
    ])
}

private struct DriverListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "list", "List the drivers that were found, and those that cannot be used.",
    discussion: "With a device, says what reads it.")

  @Argument(help: ArgumentHelp("A reader, as lsusb shows it.", valueName: "vvvv:pppp"))
  var device: String?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let entries = invocation.catalog(.current(isService: false)).all()
    let output = invocation.output
    if let device {
      let answer = KnownReader.Answer(try .init(argument: device), entries)
      return output.result(answer.json, answer.lines)
    }
    output.result(DriverText.json(entries), DriverText.table(entries, output.paint))
  }
}

private struct DriverInfoCommand: ClientCommand {
  static let configuration = CommandConfiguration("info", "Show what a driver says about itself.")

  @Argument(help: "The driver's name or path.", completion: .drivers)
  var driver: String

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let argument = DriverArgument(nameOrPath: driver, options: []).resolved(
      relativeTo: invocation.environment.workingFolder)
    let found = try invocation.catalog(.current(isService: false)).driver(argument.nameOrPath)
    let output = invocation.output
    output.result(DriverText.json(found), DriverText.facts(found, output.paint))
  }
}

private struct DriverUdevRulesCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "udev-rules", "Print udev rules for the readers that installed drivers handle.",
    discussion: """
      Install them: authcore driver udev-rules | sudo tee \(UdevRules.file)
      """)

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    var drivers: [DriverDescription] = []
    for entry in invocation.catalog(.current(isService: false)).all() {
      switch entry.result {
      case .success(let driver): drivers.append(driver.description)
      case .failure(let failure):
        // Standard output is the file of rules.
        invocation.output.note("Left out: " + failure.message.printable)
      }
    }
    let rules = UdevRules(drivers)
    invocation.output.result(Self.json(rules), rules.lines.map(\.printable))
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

private struct DriverNewCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "new", "Make a folder with a driver to start from.",
    discussion: """
      The driver builds with make, passes every check, and has a simulated device. It needs \
      nothing else of authcore: the folder holds the headers, and SensorKit for Swift.
      """)

  @Argument(help: "The driver's name: lower case, digits, '-'.")
  var name: String

  @Flag(help: "For a reader that a finger is swiped over.")
  var swipe = false

  @Flag(help: "For a reader that compares prints itself.")
  var matchOnChip = false

  @Option(help: "The language: c or swift.")
  var language = DriverTemplate.Language.c

  @Option(help: ArgumentHelp("The device it is for, as lsusb shows it.", valueName: "vvvv:pppp"))
  var usb: String?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    guard !swipe || !matchOnChip else {
      throw .usage(
        "--swipe and --match-on-chip are two kinds of readers", hint: "give one of them")
    }
    let reader = swipe ? DriverTemplate.Reader.swipe : matchOnChip ? .chip : .press
    let installation = Installation.current(isService: false)
    let template = try DriverTemplate(
      name: name, language: language, reader: reader,
      device: try usb.map(DriverDescription.USBMatch.init(argument:)),
      command: installation.executableFolder + "/authcore")
    let folder = try template.write(in: invocation.environment.workingFolder)
    invocation.output.result(
      .object([
        "folder": .string(folder), "name": .string(name), "language": .string(language.rawValue),
        "files": .array(template.files.map { .string($0.path) }),
      ]),
      [
        "Made \(folder.printable): a driver of a \(reader.rawValue) reader in "
          + "\(language == .c ? "C" : "Swift"), and its device as software.",
        "",
        "  cd \(name)",
        "  make          \(name).so and \(name)-model.so",
        "  make test     authcore driver check ./\(name).so",
        "",
        "README.md says what to change first.",
      ])
  }
}

extension DriverTemplate.Language: ExpressibleByArgument {}

private struct DriverCheckCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "check", "Check a driver against the rules of the plugin interface.",
    discussion: """
      Every check runs in a process of its own, so a driver that crashes does no harm. Checks that \
      need a device use a device model (NAME-model.so beside NAME.so, or --model). Recorded \
      traffic is played too. What follows from a mistake that was found before is not reported \
      again. Exits with 0 if everything that ran passes, and with 5 if something fails.
      """)

  @Argument(
    help: ArgumentHelp(
      "The driver's path or name, then its options.", valueName: "path[:key=value,…]"),
    completion: .file(extensions: ["so"]))
  var driver: String

  @Option(
    help: ArgumentHelp("The device model to use.", valueName: "file"),
    completion: .file(extensions: ["so"]))
  var model: String?

  @Option(
    help: ArgumentHelp(
      """
      Recorded traffic to play: pcapng, umockdev or text. After ':' comes the device in it.
      """,
      valueName: "file[:vvvv:pppp]"),
    completion: .file())
  var traffic: String?

  @Flag(help: "Show the log of driver, transport and device model on standard error.")
  var log = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
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
    if findings.contains(where: \.isFailure) { invocation.result = .foundFaults }
  }

  private func device(beside path: String, _ invocation: Invocation) -> CheckedDevice {
    let recorded = traffic.map { DeviceArgument.separatingRecordedDevice($0) }
    return CheckedDevice(
      model: model.map(invocation.environment.absolute) ?? CheckedDevice.model(beside: path),
      recording: (recorded?.path).map(invocation.environment.absolute),
      recordedDevice: recorded?.device ?? "")
  }
}
