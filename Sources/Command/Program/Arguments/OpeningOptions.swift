import ArgumentParser
import CoreClient
import Protocol

/// Options of a command that opens items, for its prompts.
struct OpeningOptions: ParsableArguments {
  @OptionGroup private var reason: ReasonOption
  @OptionGroup private var appPassword: SecretOptions<AppPassword>

  /// Refuses a reason without visible characters.
  func check() throws(Failure) { try reason.check() }

  /// Opens a session that answers prompts with the application password that was given.
  func session(_ invocation: Invocation) throws(Failure) -> CoreSession {
    let given = try appPassword.answering(invocation)
    let session = try invocation.openSession()
    session.use(appPassword: given)
    return session
  }

  /// How the owner is asked. `otherwise` is the reason if none was given. If it is empty too, the
  /// prompt names the item.
  func prompt(_ invocation: Invocation, otherwise: String = "") -> PromptOptions {
    invocation.promptOptions(reason: reason.text ?? otherwise)
  }
}

extension Invocation {
  /// Makes something that `control` guards; `text` is what `--access` said. An application password
  /// is put into a context of this request alone.
  func seal<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ request: borrowing Request, under control: AccessControl?, that text: String?,
    _ given: GivenPasscode?
  ) throws(Failure) -> Reply {
    guard control?.needsAppPassword == true else {
      guard given == nil else { throw ItemText.unusedAppPassword }
      return try openSession().ask(request)
    }
    if text?.contains(" or ") == true {
      output.note("The application password is always needed, whatever or joins.")
    }
    let password = try newAppPassword(given)
    return try openSession().ask(request, .none, sealingWith: password)
  }

  /// A new application password: the one that was given, or one that is typed twice.
  func newAppPassword(_ given: GivenPasscode?) throws(Failure) -> SecretBytes {
    if let given { return try given.read().inNormalForm(limit: longestAppPassword) }
    guard let terminal else {
      throw Failure(
        .notInteractive, "There is no terminal to ask for the application password on",
        hint: SecretOptions<AppPassword>.hint)
    }
    return try terminal.askNewSecret("Application password: ", output, interrupts)
      .inNormalForm(limit: longestAppPassword)
  }
}

extension CoreSession {
  /// Asks for something that is sealed with an application password, in a context of this request
  /// alone.
  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ request: borrowing Request, _ options: PromptOptions,
    sealingWith password: consuming SecretBytes
  ) throws(Failure) -> Reply {
    let context = try openContext()
    let _: Done = try ask(GiveAppPassword(use: .sealing, password: password), .none, in: context)
    let reply: Reply = try ask(request, options, in: context)
    try context.invalidate()
    return reply
  }
}

/// `--reason`: what the owner is asked to permit.
struct ReasonOption: ParsableArguments {
  @Option(
    name: .customLong("reason"),
    help: ArgumentHelp("What the prompt asks the owner to permit.", valueName: "text"))
  var text: String?

  /// - Throws: `invalidReason` for a reason without visible characters.
  func check() throws(Failure) {
    guard let text, !text.hasVisibleCharacters else { return }
    throw Self.missing
  }

  static let missing = Failure.invalidReason(hint: "Say what the owner permits: --reason TEXT")
}

/// `--yes`: nothing is asked before something is lost for good.
struct YesOption: ParsableArguments {
  @Flag(help: "Do not ask before something is lost for good.")
  var yes = false
}

/// `--force`: a file that is there may be replaced.
struct ForceOption: ParsableArguments {
  @Flag(help: "Replace the file if it exists.")
  var force = false
}
