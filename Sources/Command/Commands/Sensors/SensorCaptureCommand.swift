import ArgumentParser
import AuthCoreClient
import FingerprintMatching
import GreyImage
import Wire

/// `authcore sensor capture`
struct SensorCaptureCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract:
      "Write the picture of one touch to a file: binary PGM, or PNG where its name ends so.",
    discussion:
      "A print is as good as a key that cannot be changed: the file is readable by you alone.")

  @Argument(help: "The file to write.", completion: .file(extensions: ["pgm", "png"]))
  var file: String

  @Flag(help: "Draw minutiae and their directions in colour (PNG).")
  var overlay = false

  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  private var isPNG: Bool { file.lowercased().hasSuffix(".png") }

  func validate() throws {
    guard isPNG || !overlay else {
      throw ValidationError(
        "--overlay is in colour, which a PGM has not: name a file that ends in .png")
    }
  }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let sensor = try LookedAtSensor(invocation, log)
    if invocation.output.isLive { invocation.output.note("Touch the sensor.") }
    let frame = try sensor.frame(PromptScreen(invocation.output, on: nil))
    try PictureFile(invocation.environment.absolute(file)).write(bytes(of: frame))
    invocation.output.result(
      .object([
        "file": .string(file), "width": .count(frame.width), "height": .count(frame.height),
        "ppi": .count(frame.pixelsPerInch),
      ]),
      ["Wrote \(file.printable): \(frame.width) × \(frame.height) px, \(frame.pixelsPerInch) ppi."])
    return .done
  }

  private func bytes(of frame: SensorFrame) throws(Failure) -> [UInt8] {
    guard isPNG else { return frame.image.encodedPGM() }
    guard overlay else { return try PNGPicture.encode(frame.image) }
    var picture = ColourImage(frame.image)
    picture.draw(try frame.features().marks(at: frame.pixelsPerInch))
    return try PNGPicture.encode(picture)
  }
}
