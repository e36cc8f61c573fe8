import ArgumentParser
import Protocol

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

  @Flag(
    help: """
      Where the TPM that the state folder is bound to is gone: set the old files aside and begin \
      anew, without a question.
      """)
  var yes = false

  @OptionGroup var erasing: EraseAfterOption

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let passcode = try invocation.newPasscode(
      from: invocation.given, hint: "Give it with --passcode-file FILE or --passcode-fd N.")
    let session = try invocation.openSession()
    let eraseAfter = erasing.number ?? 0
    do throws(Failure) {
      let _: Done = try session.request(
        SetPasscode(passcode: passcode.duplicate(), eraseAfter: eraseAfter))
    } catch {
      guard error.code == .tpmReplaced else { throw error }
      try agree(to: error, invocation)
      let _: Done = try session.request(AbandonLostDevice())
      let _: Done = try session.request(SetPasscode(passcode: passcode, eraseAfter: eraseAfter))
    }
    invocation.output.result(.object([:]), ["The passcode is set."])
    return .done
  }

  /// What was bound to the TPM that is gone is given up only if the owner says so.
  private func agree(to loss: Failure, _ invocation: Invocation) throws(Failure) {
    guard !yes else { return }
    guard let terminal = invocation.terminal else { throw loss }
    invocation.output.note(
      """
      The TPM is not the one that keeps the root key here, or it has been cleared. What is stored \
      here opens again only with the right one. Its files can be set aside, and an empty device set \
      up; a backup is brought back with: authcore backup restore FILE
      """)
    let answer = try terminal.ask(
      "Type anew to set the old files aside: ", invocation.output, invocation.interrupts)
    guard answer == "anew" else { throw Failure(.userCancel, "Nothing was changed") }
  }
}
