import ArgumentParser
import CoreClient
import Protocol

struct FingerRenameCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a finger another name.",
    discussion: "Needs an unlocked device, and a touch or the passcode.")

  @Argument(help: "Its name or identifier.", completion: .fingers)
  var finger: String

  @Argument(help: "What to call it from here on.")
  var name: String

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    guard !name.isEmpty else { throw Failure(.usage, "The new name is empty") }
    let request = RenameFinger(
      finger: try FingerName.checked(finger), name: try FingerName.checked(name))
    let _: Done = try invocation.openSession().ask(
      request,
      invocation.promptOptions(reason: "Rename the finger \(request.finger) to \(request.name)"))
    invocation.output.result(.object([:]), ["\(finger.printable) is called \(name.printable)."])
    return .done
  }
}
