import ArgumentParser
import Protocol

struct LockCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the device: its items are out of reach until it is unlocked.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let _: Done = try invocation.openSession().ask(LockDevice())
    invocation.output.result(.object(["locked": .bool(true)]), ["Locked."])
    return .done
  }
}
