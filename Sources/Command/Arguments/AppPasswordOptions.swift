import ArgumentParser
import Wire

/// Where the application password of what is opened or added comes from, if not from a prompt.
struct AppPasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Read the application password from this descriptor.", valueName: "n"))
  var appPasswordFd: Int32?

  @Option(
    help: ArgumentHelp("Read the application password from this file.", valueName: "file"),
    completion: .file())
  var appPasswordFile: String?

  /// What was given; read when it is asked for.
  func given(_ invocation: Invocation) throws(Failure) -> GivenPasscode? {
    let source = try SecretSource(
      name: "app-password", descriptor: appPasswordFd, file: appPasswordFile)
    try SecretSource.checkDistinct([invocation.given?.source, source].compactMap { $0 })
    return source.map { GivenPasscode($0, invocation.interrupts) }
  }
}

extension Invocation {
  /// A password for what is about to be guarded by one: what was given, or typed twice.
  func newAppPassword(_ given: GivenPasscode?) throws(Failure) -> SecretBytes {
    if let given { return try given.read() }
    guard let terminal else {
      throw Failure(
        .notInteractive, "There is no terminal to ask for the application password on",
        hint: "Give it with --app-password-file FILE or --app-password-fd N.")
    }
    return try terminal.askNewSecret(
      "Application password: ", again: "The same again: ", output, interrupts)
  }
}
