import ArgumentParser
import CoreClient
import Protocol

/// What a command that opens items is given for their prompts.
struct OpeningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("What the command says in the prompt.", valueName: "text"))
  var reason: String?

  @OptionGroup private var appPassword: SecretOptions<AppPassword>

  /// Refuses a reason without visible characters, before anything is done.
  /// - Throws: `invalidReason`.
  func check() throws(Failure) { try GivenReason.check(reason) }

  /// A session that answers prompts with what was given.
  func session(_ invocation: Invocation) throws(Failure) -> CoreSession {
    let given = try appPassword.answering(invocation)
    let session = try invocation.openSession()
    session.use(appPassword: given)
    return session
  }

  /// How the owner is asked. `otherwise` is the reason if none was given; without either the prompt
  /// names the item.
  func prompt(_ invocation: Invocation, otherwise: String = "") -> PromptOptions {
    invocation.promptOptions(reason: reason ?? otherwise)
  }
}

extension Invocation {
  /// Asks for something to be made that `control` guards, which `--access` said in the words of
  /// `text`. The application password, where it wants one, lies in a context of this request alone.
  func seal<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ request: borrowing Request, under control: AccessControl?, that text: String?,
    _ given: GivenPasscode?
  ) throws(Failure) -> Reply {
    guard control?.needsAppPassword == true else {
      guard given == nil else { throw ItemText.unusedAppPassword }
      return try openSession().ask(request)
    }
    if text?.contains(" or ") == true {
      output.note("app-password is needed in every case, whatever joins the rest.")
    }
    let password = try newAppPassword(given)
    return try openSession().ask(request, .none, sealingWith: password)
  }

  /// A password for what is about to be guarded by one: what was given, or typed twice.
  func newAppPassword(_ given: GivenPasscode?) throws(Failure) -> SecretBytes {
    let typed = try typedAppPassword(given)
    return try typed.inNormalForm(limit: longestAppPassword)
  }

  private func typedAppPassword(_ given: GivenPasscode?) throws(Failure) -> SecretBytes {
    if let given { return try given.read() }
    guard let terminal else {
      throw Failure(
        .notInteractive, "There is no terminal to ask for the application password on",
        hint: SecretOptions<AppPassword>.hint)
    }
    return try terminal.askNewSecret(
      "Application password: ", again: "The same again: ", output, interrupts)
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
    let _: Done = try ask(
      GiveAppPassword(use: .sealing, password: password), .none, in: context)
    let reply: Reply = try ask(request, options, in: context)
    try context.invalidate()
    return reply
  }
}

/// What `--reason` says.
enum GivenReason {
  /// Refuses one that nobody could read; nil, where none was given, is none of those.
  /// - Throws: `invalidReason`.
  static func check(_ reason: String?) throws(Failure) {
    guard let reason, !reason.hasVisibleCharacters else { return }
    throw .invalidReason(hint: "Say what the owner permits: --reason TEXT")
  }
}
