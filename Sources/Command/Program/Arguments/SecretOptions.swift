import ArgumentParser
import CoreClient
import Protocol

/// A secret that the command line may take from a descriptor or a file.
protocol NamedSecret {
  /// As options name it: `--NAME-fd`, `--NAME-file`.
  static var option: String { get }
  /// As sentences name it.
  static var words: String { get }
}

enum Passcode: NamedSecret {
  static let (option, words) = ("passcode", "the passcode")
}

enum NewPasscode: NamedSecret {
  static let (option, words) = ("new-passcode", "the new passcode")
}

enum AppPassword: NamedSecret {
  static let (option, words) = ("app-password", "the application password")
}

enum NewAppPassword: NamedSecret {
  static let (option, words) = ("new-app-password", "the new application password")
}

enum Passphrase: NamedSecret {
  static let (option, words) = ("passphrase", "the passphrase")
}

/// The two options that say where a secret comes from, if not from a prompt.
struct SecretOptions<Secret: NamedSecret>: ParsableArguments {
  @Option(
    name: .customLong(Secret.option + "-fd"),
    help: ArgumentHelp("Read \(Secret.words) from this descriptor.", valueName: "n"))
  var descriptor: Int32?

  @Option(
    name: .customLong(Secret.option + "-file"),
    help: ArgumentHelp("Read \(Secret.words) from this file.", valueName: "file"),
    completion: .file())
  var file: String?

  /// What they say, or nil if neither was given.
  /// - Throws: `usage` for both, and for a descriptor that is not open.
  func source() throws(Failure) -> SecretSource? {
    try SecretSource(name: Secret.option, descriptor: descriptor, file: file)
  }

  /// The secret, read when it is first needed.
  /// - Throws: `usage`, also if the passcode comes from the same place.
  func given(_ invocation: Invocation) throws(Failure) -> GivenPasscode? {
    guard let source = try source() else { return nil }
    try SecretSource.checkDistinct([invocation.given?.source, source].compactMap(\.self))
    return GivenPasscode(source, invocation.interrupts)
  }

  /// What to do without a terminal.
  static var hint: String {
    "Give it with --\(Secret.option)-file FILE or --\(Secret.option)-fd N."
  }
}

extension SecretOptions<AppPassword> {
  /// The application password, for prompts that this command then answers by itself.
  func answering(_ invocation: Invocation) throws(Failure) -> GivenPasscode? {
    let given = try given(invocation)
    if given != nil { invocation.answersByItself = true }
    return given
  }
}
