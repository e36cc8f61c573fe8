import ArgumentParser
import CoreClient

struct StartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Measure how soon authcore status has answered.",
    discussion: "From a core that is there, and from nothing, beside a program that only parses.")

  @Option(help: "How often each is measured.") var runs = 20

  func validate() throws { try check(runs, in: 1...10_000, "--runs") }

  func run() throws {
    let home = try ScratchHome()
    let folder = CoreProgram.folder()
    let status = ["--home", home.path, "--json"]
    let bare = MeasuredProgram(folder + "/authcore-bench", ["parse-only"] + status)
    let command = MeasuredProgram(folder + "/authcore", ["status"] + status)
    let quit = MeasuredProgram(folder + "/authcore", ["quit"] + status)
    var (parsing, running, starting) = (Sample(), Sample(), Sample())
    try command.run()
    // In turns, so that other load on the machine affects all of them.
    for _ in 0..<runs {
      try parsing.measure { try bare.run() }
      try running.measure { try command.run() }
      try quit.run()
      try starting.measure { try command.run() }
    }
    let unit = Duration.milliseconds(1)
    let result: JSON = [
      "runs": JSON(runs), "parseOnlyMilliseconds": parsing.json(in: unit),
      "statusMilliseconds": running.json(in: unit),
      "statusFromNothingMilliseconds": starting.json(in: unit),
      "ratios": [
        "running": rounded(running.median / parsing.median),
        "fromNothing": rounded(starting.median / parsing.median),
      ],
    ]
    print(result)
  }
}

/// What `status` is measured against: a Swift program that parses the same arguments and does
/// nothing.
struct ParseOnlyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse-only", abstract: "Parse the options of authcore status, and end.",
    shouldDisplay: false)

  enum Answer: String, CaseIterable, ExpressibleByArgument {
    case cancel
    case fallback
  }

  @Option var driver: String?
  @Option var home: String?
  @Flag var json = false
  @Flag var noColor = false
  @Option var timeout = 30.0
  @Option var passcodeFd: Int32?
  @Option var passcodeFile: String?
  @Option var answer: Answer?

  func run() {}
}
