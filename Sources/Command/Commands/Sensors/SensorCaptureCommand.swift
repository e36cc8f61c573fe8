import ArgumentParser
import AuthCoreClient
import GreyImage
import Wire

/// `authcore sensor capture`
struct SensorCaptureCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Write the picture of one touch to a file (binary PGM).",
    discussion:
      "A print is as good as a key that cannot be changed: the file is readable by you alone.")

  @Argument(help: "The file to write.", completion: .file(extensions: ["pgm"]))
  var file: String

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let sensor = try LookedAtSensor(invocation)
    if invocation.output.isLive { invocation.output.note("Touch the sensor.") }
    let frame = try sensor.frame(PromptScreen(invocation.output))
    try PictureFile(invocation.environment.absolute(file)).write(frame.image)
    invocation.output.result(
      .object([
        "file": .string(file), "width": .count(frame.width), "height": .count(frame.height),
        "ppi": .count(frame.pixelsPerInch),
      ]),
      ["Wrote \(file.printable): \(frame.width) × \(frame.height) px, \(frame.pixelsPerInch) ppi."])
    return .done
  }
}
