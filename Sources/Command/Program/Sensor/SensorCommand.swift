import ArgumentParser
import CoreClient
import FingerprintMatching
import Glibc
import GrayImage
import LinuxSystem
import PluginHosting
import Protocol

private struct SensorCaptureCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "capture", "Write the picture of one touch to a file, as PGM or PNG.",
    discussion: """
      The ending of the file's name says which. Devices, pipes and standard output get PGM. A \
      print is like a key that cannot be changed, so only you can read the file.
      """)

  @Argument(
    help: "The file to write, ending in .pgm or .png. - is standard output.",
    completion: .file(extensions: ["pgm", "png"]))
  var file: String

  @OptionGroup var replacing: ForceOption

  @Flag(help: "Draw minutiae and their directions in color (PNG).")
  var overlay = false

  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let target = try target(invocation)
    let sensor = try LookedAtSensor(invocation, log)
    if invocation.output.isLive { invocation.output.note(PromptTexts.touch.english) }
    let frame = try sensor.frame(PromptScreen(invocation.output, on: nil))
    try target.write(bytes(of: frame, as: target.format))
    guard !target.isStandardOutput else { return }
    invocation.output.result(
      .object([
        "file": .string(file), "width": .count(frame.width), "height": .count(frame.height),
        "ppi": .count(frame.pixelsPerInch),
      ]),
      ["Wrote \(file.printable): \(frame.width) × \(frame.height) px, \(frame.pixelsPerInch) ppi."])
  }

  /// Checks where the picture goes, before anybody touches the sensor.
  private func target(_ invocation: Invocation) throws(Failure) -> PictureFile {
    let target = try PictureFile(
      file == "-" ? file : invocation.environment.absolute(file), replaces: replacing.force)
    guard target.format == .png || !overlay else {
      throw .usage(
        "--overlay needs color, which PGM does not have", hint: "Name a file that ends in .png.")
    }
    guard target.isStandardOutput else { return target }
    try invocation.output.check(takes: "picture")
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
    "sensor", "Look at what a sensor delivers, for authors of drivers. Needs no core.",
    subcommands: [SensorWatchCommand.self, SensorCaptureCommand.self, SensorRecordCommand.self])
}

private struct SensorWatchCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "watch", "Show touches as they come, and how good they are.",
    discussion: """
      Ends after --touches, if no touch comes within --timeout, at the end of a tape, or with \
      Ctrl-C.
      """)

  @OptionGroup var limit: TouchesOption
  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let output = invocation.output
    let sensor = try LookedAtSensor(invocation, log)
    let pictures = output.pictures
    let screen = pictures.map { PromptScreen(output, on: $0) } ?? PromptScreen(output, on: nil)
    if output.isLive { output.note(PromptTexts.touch.english + " Ctrl-C ends.") }
    var seen: [JSONValue] = []
    do throws(Failure) {
      while seen.count < limit.touches ?? .max {
        let frame = try sensor.frame(screen)
        let features = try frame.features()
        if let pictures {
          screen.show(picture: FrameText.lines(frame, features, on: pictures, seen.count + 1))
        }
        seen.append(FrameText.json(frame, features))
      }
    } catch {
      screen.end()
      guard error.code == .timedOut, !seen.isEmpty else { throw error }
    }
    screen.end()
    output.result(.object(["touches": .array(seen)]), [])
  }
}

private struct SensorRecordCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "record", "Record what happens at a sensor on a tape.",
    discussion: """
      --driver replay:tape=FILE plays the tape. The pictures are numbered files beside it. Ends \
      after --touches, if no touch comes within --timeout, if the reader is unplugged, or with \
      Ctrl-C. What was recorded is kept. A print is like a key that cannot be changed, so only you \
      can read the files.
      """)

  @Argument(
    help: """
      The tape to write. - is standard output, with pictures named touch-001.pgm and so on.
      """, completion: .file(extensions: ["tape"]))
  var file: String

  @OptionGroup var limit: TouchesOption

  @Option(
    help: ArgumentHelp("Record the USB traffic too, as pcapng.", valueName: "file"),
    completion: .file(extensions: ["pcapng"]))
  var traffic: String?

  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let output = invocation.output
    if file == "-" { try output.check(takes: "tape", suitsTerminal: true) }
    guard traffic != "-" else {
      throw .usage("--traffic needs a file of its own", hint: "Name the file.")
    }
    let capture = try traffic.map { (name) throws(Failure) in
      try WholeFile.create(invocation.environment.absolute(name)).release()
    }
    defer { if let capture { close(capture) } }
    let sensor = try LookedAtSensor(invocation, log, recording: capture)
    let environment = invocation.environment
    var tape = try TapeRecorder(
      file == "-" ? file : environment.absolute(file), picturesIn: environment.workingFolder)
    if output.isLive { output.note(PromptTexts.touch.english + " Ctrl-C ends.") }
    try record(sensor, &tape, PromptScreen(output, on: nil))
    let count = tape.touches
    let hasTraffic = capture.map(Self.isFilled) ?? false
    if let traffic, !hasTraffic {
      unsafe unlink(invocation.environment.absolute(traffic))
      output.note("No traffic was recorded. Only that of a USB reader can be.")
    }
    guard file != "-" else { return }
    output.result(
      .object([
        "file": .string(file), "touches": .integer(Int64(count)),
        "traffic": hasTraffic ? traffic.map(JSONValue.string) : nil,
      ]),
      ["Wrote \(file.printable): \(count) touch\(count == 1 ? "" : "es")."])
  }

  private func record(
    _ sensor: LookedAtSensor, _ tape: inout TapeRecorder, _ screen: PromptScreen
  ) throws(Failure) {
    while tape.touches < limit.touches ?? .max {
      switch try sensor.next() {
      case .frame(let frame): try tape.touch(frame)
      case .retry(let retry):
        screen.tell(.retry(reason: retry.reason))
        try tape.retry(retry.reason)
      case .end(let end):
        if end.status == SensorStatus.gone { return try tape.unplug() }
        guard end.status == SensorStatus.timeout, tape.touches > 0 else { throw end.failure }
        return
      }
    }
  }

  private static func isFilled(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_size > 0
  }
}

private struct TouchesOption: ParsableArguments {
  @Option(help: "End after this many touches.")
  var touches: Int?

  func validate() throws {
    guard touches.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--touches is at least 1")
    }
  }
}
