import ArgumentParser
import ClientProtocol
import Wire

/// `authcore passcode set`
struct PasscodeSetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the first passcode.",
    discussion:
      """
      It is typed twice on a terminal, or taken from --passcode-fd or --passcode-file. The device \
      is unlocked afterwards.
      """
  )

  @OptionGroup var erasing: EraseAfterOption

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let passcode = try invocation.newPasscode(
      from: invocation.given, hint: "Give it with --passcode-file FILE or --passcode-fd N.")
    let _: Done = try invocation.openSession().request(
      SetPasscode(passcode: passcode, eraseAfter: erasing.number ?? 0))
    invocation.output.result(.object([:]), ["The passcode is set."])
    return .done
  }
}
