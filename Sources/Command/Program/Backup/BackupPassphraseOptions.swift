import ArgumentParser
import BackupFormat
import CoreClient
import Protocol

/// The passphrase of a backup, from an option or the terminal.
struct BackupPassphraseOptions: ParsableArguments {
  @OptionGroup private var given: SecretOptions<Passphrase>

  /// The longest passphrase, in bytes.
  private static let longest = 1024
  /// The owner is warned about fewer characters. No device limits the rate at which somebody who
  /// has the file can try passphrases.
  private static let advisedCharacters = 12

  /// Whether an option gives the passphrase.
  var isGiven: Bool { given.descriptor != nil || given.file != nil }

  func source() throws(Failure) -> SecretSource? { try given.source() }

  /// The passphrase of a new backup, in normal form: the one that was given, or one that is typed
  /// twice.
  func new(_ invocation: Invocation) throws(Failure) -> SecretBytes {
    let typed = try read(invocation) { (terminal) throws(Failure) in
      try terminal.askNewSecret("New passphrase: ", invocation.output, invocation.interrupts)
    }
    let passphrase = try Self.checked(typed)
    Self.warn(of: passphrase, invocation.output)
    return passphrase
  }

  private static func warn(of passphrase: borrowing SecretBytes, _ output: Output) {
    let count = PasscodeRules.characters(in: passphrase.bytes)
    guard count < advisedCharacters else { return }
    output.note(
      """
      Anybody who has the file and enough time can find a passphrase of \
      \(ItemText.count(count, "character")). Nothing else protects a backup. Use \
      \(advisedCharacters) or more.
      """)
  }

  /// The keys of a backup, from the passphrase that was given or is typed.
  /// - Throws: `errSecAuthFailed` for a wrong passphrase.
  func keys(of header: BackupHeader, _ invocation: Invocation) throws(Failure) -> BackupKeys {
    let typed = try read(invocation) { (terminal) throws(Failure) in
      try terminal.askSecret("Passphrase: ", invocation.output, invocation.interrupts)
    }
    let passphrase = try Self.checked(typed)
    invocation.output.live("Stretching the passphrase …")
    defer { invocation.output.clearLive() }
    return try header.keys(for: passphrase)
  }

  private func read(
    _ invocation: Invocation, or ask: (Terminal) throws(Failure) -> SecretBytes
  ) throws(Failure) -> SecretBytes {
    if let source = try given.given(invocation)?.source {
      return try source.read(limit: Self.longest, interrupts: invocation.interrupts)
    }
    guard let terminal = invocation.terminal else {
      throw Failure(
        .notInteractive, "There is no terminal to ask for the passphrase on",
        hint: SecretOptions<Passphrase>.hint)
    }
    return try ask(terminal)
  }

  private static func checked(_ typed: consuming SecretBytes) throws(Failure) -> SecretBytes {
    let passphrase = try typed.inNormalForm(limit: longest)
    guard passphrase.count > 0 else {
      throw .usage(
        "The passphrase is empty", hint: "Nothing else protects a backup. Choose a long one.")
    }
    return passphrase
  }
}
