import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol

struct SensorRecordCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Write what happens at a sensor to a tape, which --driver replay:tape=FILE plays.",
    discussion: """
      The pictures are numbered files beside the tape. Ends after --touches, when no touch comes within --timeout, when the \
      reader is unplugged, or with Ctrl-C; what was recorded is kept. A print is as good as a key that cannot be changed: \
      the files are readable by you alone.
      """)

  @Argument(
    help: """
      The tape to write; - is standard output, and the pictures are touch-001.pgm and so on.
      """, completion: .file(extensions: ["tape"]))
  var file: String

  @Option(help: "End after so many touches.")
  var touches: Int?

  @Option(
    help: ArgumentHelp("Record the USB traffic too, as pcapng.", valueName: "file"),
    completion: .file(extensions: ["pcapng"]))
  var traffic: String?

  @OptionGroup var log: LogOption
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard touches.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--touches is at least 1")
    }
  }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let output = invocation.output
    guard file != "-" || !output.isJSON else {
      throw Failure(
        .usage, "Standard output cannot hold both the tape and JSON",
        hint: "Name a file, or leave --json out.")
    }
    guard traffic != "-" else {
      throw Failure(
        .usage, "The traffic is recorded beside the tape, and in a file", hint: "Name the file.")
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
      output.note("No traffic was recorded: only that of a reader on the bus can be.")
    }
    guard file != "-" else { return .done }
    output.result(
      .object([
        "file": .string(file), "touches": .integer(Int64(count)),
        "traffic": hasTraffic ? traffic.map(JSONValue.string) : nil,
      ]),
      ["Wrote \(file.printable): \(count) touch\(count == 1 ? "" : "es")."])
    return .done
  }

  private func record(
    _ sensor: LookedAtSensor, _ tape: inout TapeRecorder, _ screen: PromptScreen
  ) throws(Failure) {
    while tape.touches < touches ?? .max {
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
