import ArgumentParser
import CoreClient
import Glibc
import Protocol

struct ServeCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the core of this state folder in the foreground.",
    discussion: "It says what it does on standard error, until Ctrl-C or authcore quit.")

  @Option(
    help: ArgumentHelp(
      "Lock after so long without a match or a correct passcode (1…604800).", valueName: "seconds"))
  var lockAfter: UInt32 = 900

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    guard 1...604_800 ~= lockAfter else {
      throw Failure(.usage, "--lock-after is between 1 and 604800 seconds")
    }
    let location = try CoreLocation.choose(
      home: options.home, prints: try invocation.chosenDriver().prints,
      environment: invocation.environment, service: nil)
    _ = try invocation.settleStateFolder(of: location)
    throw CoreProgram.become(home: location.path, lockAfterSeconds: lockAfter)
  }
}
