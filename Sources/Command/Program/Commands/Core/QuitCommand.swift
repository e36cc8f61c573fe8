import ArgumentParser
import CoreClient
import Protocol

struct QuitCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit",
    abstract: "End the core of this state folder.",
    discussion:
      """
      Returns when the core and its hosts are gone. The next command starts a new one, which is \
      locked.
      """
  )

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let prints = try invocation.chosenDriver().prints
    let didRun = try invocation.access(prints: prints).quit()
    invocation.output.result(.object([:]), [didRun ? "The core has ended." : "No core runs."])
    return .done
  }
}
