import ArgumentParser
import CoreClient
import FingerprintMatching
import Glibc
import GrayImage
import Protocol

struct SensorCaptureCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract:
      "Write the picture of one touch to a file: binary PGM, or PNG where its name ends so.",
    discussion: """
      A print is as good as a key that cannot be changed: the file is readable by you alone. Devices, \
      pipes and standard output get PGM.
      """)

  @Argument(
    help: "The file to write, which ends in .pgm or .png; - is standard output.",
    completion: .file(extensions: ["pgm", "png"]))
  var file: String

  @Flag(help: "Replace a file that is there.")
  var force = false

  @Flag(help: "Draw minutiae and their directions in color (PNG).")
  var overlay = false

  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let target = try target(invocation)
    let sensor = try LookedAtSensor(invocation, log)
    if invocation.output.isLive { invocation.output.note(PromptTexts.touch.english) }
    let frame = try sensor.frame(PromptScreen(invocation.output, on: nil))
    try target.write(bytes(of: frame, as: target.format))
    guard !target.isStandardOutput else { return .done }
    invocation.output.result(
      .object([
        "file": .string(file), "width": .count(frame.width), "height": .count(frame.height),
        "ppi": .count(frame.pixelsPerInch),
      ]),
      ["Wrote \(file.printable): \(frame.width) × \(frame.height) px, \(frame.pixelsPerInch) ppi."])
    return .done
  }

  /// Where the picture goes; everything about it is refused before anybody touches the sensor.
  private func target(_ invocation: Invocation) throws(Failure) -> PictureFile {
    let target = try PictureFile(
      file == "-" ? file : invocation.environment.absolute(file), replaces: force)
    guard target.format == .png || !overlay else {
      throw Failure(
        .usage, "--overlay is in color, which a PGM has not",
        hint: "Name a file that ends in .png.")
    }
    guard target.isStandardOutput else { return target }
    guard !invocation.output.isJSON else {
      throw Failure(
        .usage, "Standard output cannot hold both the picture and JSON",
        hint: "Name a file, or leave --json out.")
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw Failure(.usage, "A picture is not for a terminal", hint: "Name a file.")
    }
    return target
  }

  private func bytes(
    of frame: SensorFrame, as format: PictureFile.Format
  ) throws(Failure) -> [UInt8] {
    guard format == .png else { return frame.image.encodedPGM() }
    guard overlay else { return try PNGPicture.encode(frame.image) }
    var picture = ColorImage(frame.image)
    picture.draw(try frame.features().marks(at: frame.pixelsPerInch))
    return try PNGPicture.encode(picture)
  }
}

struct SensorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensor",
    abstract: "Look at what a sensor delivers, for authors of drivers. Needs no core.",
    subcommands: [
      SensorWatchCommand.self, SensorCaptureCommand.self, SensorRecordCommand.self,
    ])
}
