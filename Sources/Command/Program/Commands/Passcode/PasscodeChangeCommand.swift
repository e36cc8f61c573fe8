import ArgumentParser
import Protocol

/// `authcore passcode change`
struct PasscodeChangeCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Replace the passcode.",
    discussion: "The current one is asked for, or taken from --passcode-fd or --passcode-file.")

  @Option(help: ArgumentHelp("Read the new passcode from this descriptor.", valueName: "n"))
  var newPasscodeFd: Int32?

  @Option(
    help: ArgumentHelp("Read the new passcode from this file.", valueName: "file"),
    completion: .file())
  var newPasscodeFile: String?

  @OptionGroup var erasing: EraseAfterOption

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let source = try SecretSource(
      name: "new-passcode", descriptor: newPasscodeFd, file: newPasscodeFile)
    try SecretSource.checkDistinct([invocation.given?.source, source].compactMap { $0 })
    let session = try invocation.openSession()
    // Nobody thinks of a new passcode for nothing: the current one comes first.
    if source == nil, invocation.terminal != nil {
      try session.requirePasscode(
        invocation.promptOptions(usesPasscodeAtOnce: true))
    }
    let replacement = try invocation.newPasscode(
      from: source.map { GivenPasscode($0, invocation.interrupts) },
      hint: "Give it with --new-passcode-file FILE or --new-passcode-fd N.")
    let _: Done = try session.request(
      ChangePasscode(
        replacement: replacement, eraseAfter: erasing.number,
        options: invocation.promptOptions()))
    invocation.output.result(.object([:]), ["The passcode is changed."])
    return .done
  }
}
