import ArgumentParser

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
