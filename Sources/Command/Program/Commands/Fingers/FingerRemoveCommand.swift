import ArgumentParser
import CoreClient
import Protocol

struct FingerRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a finger.",
    discussion: "Needs the passcode. Items behind biometry-current cannot be opened any more.")

  @Argument(help: "Its name or identifier.", completion: .fingers)
  var finger: String

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let finger = try FingerName.checked(finger)
    let _: Done = try invocation.openSession().ask(
      RemoveFinger(finger: finger),
      invocation.promptOptions(reason: "Remove the finger \(finger)"))
    invocation.output.result(.object([:]), ["\(finger.printable) is removed."])
    return .done
  }
}
