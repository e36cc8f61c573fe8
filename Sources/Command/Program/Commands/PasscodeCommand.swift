import ArgumentParser
import CoreClient
import Protocol

struct PasscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "passcode", "Set, change or remove the owner's passcode.",
    subcommands: [PasscodeSetCommand.self, PasscodeChangeCommand.self, PasscodeRemoveCommand.self])
}

private struct PasscodeSetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "set", "Set the first passcode.",
    discussion: """
      It is typed twice on a terminal, or taken from --passcode-fd or --passcode-file. The device \
      is unlocked afterwards. If the TPM that the state folder is bound to is gone, the command \
      asks whether to set the old files aside and start over.
      """)

  @OptionGroup var asking: YesOption
  @OptionGroup var erasing: EraseAfterOption
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    let passcode = try invocation.newPasscode(
      from: invocation.given, hint: SecretOptions<Passcode>.hint)
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
  }

  /// Asks the owner whether to give up what was bound to the lost TPM.
  private func agree(to loss: Failure, _ invocation: Invocation) throws(Failure) {
    guard !asking.yes else { return }
    try invocation.confirm(
      """
      This TPM does not hold the root key, or it has been cleared. What is stored here opens only \
      with the right TPM. The files can be set aside to start over. Bring a backup back with: \
      authcore backup restore FILE
      """,
      typing: "anew", otherwise: loss)
  }
}

private struct PasscodeChangeCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "change", "Replace the passcode.",
    discussion: """
      The current passcode is asked for, or taken from --passcode-fd or --passcode-file.
      """)

  @OptionGroup var newPasscode: SecretOptions<NewPasscode>
  @OptionGroup var erasing: EraseAfterOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let given = try newPasscode.given(invocation)
    let session = try invocation.openSession()
    // Asks for the current passcode first, so that nobody thinks up a new one in vain.
    if given == nil, invocation.terminal != nil {
      try session.requirePasscode(invocation.promptOptions(usesPasscodeAtOnce: true))
    }
    let replacement = try invocation.newPasscode(from: given, hint: SecretOptions<NewPasscode>.hint)
    let _: Done = try session.request(
      ChangePasscode(
        replacement: replacement, eraseAfter: erasing.number, options: invocation.promptOptions()))
    invocation.output.result(.object([:]), ["The passcode is changed."])
  }
}

private struct PasscodeRemoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove the passcode, all fingers, and every item that depends on them.")

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let session = try invocation.openSession()
    try invocation.confirm(
      """
      This removes all fingers, every item behind access control and every item of the class
      when-passcode-set-this-device-only. It cannot be undone.
      """, typing: "remove", otherwise: nil)
    let reply: ItemsChanged = try session.request(
      RemovePasscode(options: invocation.promptOptions(reason: "Remove the passcode")))
    invocation.output.result(
      .object(["itemsRemoved": .count(reply.count)]),
      ["The passcode and all fingers are removed, and \(ItemText.count(reply.count)) with them."])
  }
}

/// `--erase-after N`: after how many wrong passcodes the device destroys what it holds.
private struct EraseAfterOption: ParsableArguments {
  @Option(
    name: .customLong("erase-after"),
    help: ArgumentHelp(
      """
      Destroy everything stored here after this many different wrong passcodes in a row \
      (\(eraseAfterRange.lowerBound)…\(eraseAfterRange.upperBound); 0: never).
      """, valueName: "n"))
  var number: UInt32?

  func validate() throws {
    guard let number, number != 0, !eraseAfterRange.contains(number) else { return }
    throw ValidationError(
      """
      --erase-after takes \(eraseAfterRange.lowerBound) to \(eraseAfterRange.upperBound), or 0 for \
      never
      """)
  }
}
