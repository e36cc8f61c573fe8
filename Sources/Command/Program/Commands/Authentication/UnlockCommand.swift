import ArgumentParser
import Protocol

/// `authcore unlock`
struct UnlockCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock the device with the passcode, or with a finger where it may.",
    discussion: "A passcode that is given is used at once, and verified on an unlocked device too.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let reply: Evaluated = try invocation.openSession().request(
      UnlockDevice(
        options: invocation.promptOptions(usesPasscodeAtOnce: true)))
    let paint = invocation.output.paint
    invocation.output.result(
      reply.json(["unlocked": .bool(true)]),
      [reply.evidence == .nothing ? "It is unlocked already." : reply.sentence(paint)])
    return .done
  }
}
