import ArgumentParser
import CoreClient
import DriverKit
import PluginHosting
import Protocol

struct DriverNewCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a folder with a driver to start from.",
    discussion: """
      The driver builds with make, passes every check, and has a simulated device. Nothing else of authcore is needed: \
      the folder holds the headers, and for Swift SensorKit.
      """)

  @Argument(help: "Its name: lower case, digits, '-'.")
  var name: String

  @Flag(help: "For a reader that a finger is drawn over, which sees it in stripes.")
  var swipe = false

  @Option(help: "What to write it in: c or swift.")
  var language = DriverTemplate.Language.c

  @Option(help: ArgumentHelp("The device it is for, as lsusb shows it.", valueName: "vvvv:pppp"))
  var usb: String?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let installation = Installation.current(isService: false)
    let template = try DriverTemplate(
      name: name, language: language, scanType: swipe ? .swipe : .press, device: try device(),
      command: installation.executableFolder + "/authcore")
    let folder = try template.write(in: invocation.environment.workingFolder)
    invocation.output.result(
      .object([
        "folder": .string(folder), "name": .string(name), "language": .string(language.rawValue),
        "files": .array(template.files.map { .string($0.path) }),
      ]),
      [
        "Made \(folder.printable): a driver of a \(swipe ? "swipe" : "press") reader in "
          + "\(language == .c ? "C" : "Swift"), and its device as software.",
        "",
        "  cd \(name)",
        "  make          \(name).so and \(name)-model.so",
        "  make test     authcore driver check ./\(name).so",
        "",
        "README.md says what to change first.",
      ])
    return .done
  }

  /// - Throws: `usage` for what is no pair of numbers.
  private func device() throws(Failure) -> DriverDescription.USBMatch? {
    guard let usb else { return nil }
    let parts = usb.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) }),
      let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
    else {
      throw Failure(
        .usage, "\u{201C}\(usb)\u{201D} is no USB device",
        hint: "two numbers of four hexadecimal digits, such as 05ba:000a; lsusb shows them")
    }
    return DriverDescription.USBMatch(vendor: vendor, product: product)
  }
}

extension DriverTemplate.Language: ExpressibleByArgument {}
