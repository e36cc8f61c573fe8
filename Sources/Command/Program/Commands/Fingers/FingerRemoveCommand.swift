import ArgumentParser
import CoreClient
import Protocol

/// `authcore finger remove`
struct FingerRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a finger.",
    discussion: """
      Needs the passcode. It closes for good what biometry-current guards. The command lists that, and \
      asks.
      """)

  @Argument(help: "Its name or identifier.", completion: .fingers)
  var finger: String

  @Flag(help: "Close what biometry-current guards without a question.")
  var yes = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let finger = try FingerName.checked(finger)
    let session = try invocation.openSession()
    if !yes { try session.confirmChangeOfFingers("remove", invocation) }
    let _: Done = try session.ask(
      RemoveFinger(finger: finger),
      invocation.promptOptions(reason: "Remove the finger \(finger)"))
    invocation.output.result(.object([:]), ["\(finger.printable) is removed."])
    return .done
  }
}
