import ArgumentParser
import CoreClient
import Glibc
import Protocol

/// One run of the command: what was said on the command line, and what it is to be carried out
/// with.
final class Invocation {
  let options: GlobalOptions
  let environment: ClientEnvironment
  let output: Output
  let interrupts: Interrupts
  /// `--passcode-fd` or `--passcode-file`, where one was given.
  let given: GivenPasscode?
  private lazy var controllingTerminal = asksNobody ? nil : Terminal.controlling()
  /// As if there were no controlling terminal; to be set before it is looked for.
  var asksNobody = false

  /// What the command found, for its exit code.
  var result = CommandResult.done
  /// What the command does if its state folder is missing.
  var missingStateFolder = MissingStateFolder.refused
  /// Whether a person has said that one may be made.
  var mayMakeStateFolder = false

  /// Where a person can be asked; nil without a controlling terminal, and in its background (A6).
  var terminal: Terminal? {
    situation.takesKeys ? controllingTerminal : nil
  }

  /// - Throws: `usage` for options that make no sense.
  init(_ options: GlobalOptions, _ output: Output, _ interrupts: Interrupts) throws(Failure) {
    (self.options, self.output, self.interrupts) = (options, output, interrupts)
    environment = .current()
    let longest = PromptOptions.longestTimeoutMilliseconds / 1000
    guard options.timeout >= 0.001, options.timeout <= Double(longest) else {
      throw Failure(.usage, "--timeout is between 0.001 and \(longest) seconds")
    }
    given = try options.passcode.source().map { GivenPasscode($0, interrupts) }
  }

  /// Whether the command has a controlling terminal, be it in its background.
  var hasTerminal: Bool { controllingTerminal != nil }

  /// Whose touch a request of this command may wait for.
  private var touch: AwaitedTouch {
    situation.awaitedTouch(isUnattended: options.unattended)
  }

  private var situation: TerminalSituation { TerminalSituation(of: controllingTerminal) }

  /// Whether something other than a person answers prompts.
  var answersByItself = false

  /// Whether requests of this command have a locked device unlocked.
  var unlocks = false
  /// Whom this command acts for, as prompts call that; nil: for who typed it.
  var applicationName: String?

  /// How this command has a locked device unlocked; nil: it does not. A passcode that was given is not
  /// volunteered where nobody is asked for it.
  var unlockingOptions: PromptOptions? {
    guard unlocks, given == nil || terminal != nil else { return nil }
    return promptOptions()
  }

  /// `--timeout`.
  var timeoutMilliseconds: UInt32 { UInt32(options.timeout * 1000) }

  /// How a request of this command may prompt.
  ///
  /// `usesPasscodeAtOnce`: a passcode that was given is used before any touch. `knowsPasscode`:
  /// this command can answer with one even though none was given and there is no terminal.
  func promptOptions(
    reason: String = "", fallbackTitle: String? = nil, cancelTitle: String? = nil,
    usesPasscodeAtOnce: Bool = false, knowsPasscode: Bool = false
  ) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle,
      timeoutMilliseconds: timeoutMilliseconds,
      mayPrompt: touch != .none || given != nil || answersByItself, touch: touch,
      canGivePasscode: knowsPasscode || terminal != nil || given != nil,
      prefersPasscode: usesPasscodeAtOnce && given != nil,
      mayUseAgent: situation.mayUseAgent && options.answer == nil && !answersByItself,
      applicationName: applicationName)
  }

  /// The agent that answers this command's prompts.
  func makeAgent() throws(Failure) -> TerminalAgent {
    try TerminalAgent(
      on: terminal, PromptScreen(output, on: terminal, isUnattended: touch == .unattended),
      of: interrupts, given: GivenAnswers(answer: options.answer, passcode: given))
  }

  /// A passcode to set, and where it comes from otherwise than from a prompt.
  /// - Throws: `notInteractive` where there is nothing to take it from, `passcodeTooShort`.
  func newPasscode(
    from source: GivenPasscode?, hint: String
  ) throws(Failure) -> SecretBytes {
    try asNewPasscode(try typedNewPasscode(from: source, hint: hint))
  }

  /// What somebody chose as a passcode, as it is set: in normal form. Says where it is worth
  /// little.
  /// - Throws: `passcodeTooShort`, and `usage` for one that is too long.
  func asNewPasscode(_ typed: consuming SecretBytes) throws(Failure) -> SecretBytes {
    let passcode = try typed.inNormalForm(limit: longestPasscode)
    let count = try PasscodeRules.check(passcode)
    if count < PasscodeRules.advisedCharacters {
      output.note(
        """
        A passcode of \(count) characters is found within hours by whoever has a copy of the state \
        folder and its root key, within minutes where it is digits. Take \
        \(PasscodeRules.advisedCharacters) or more.
        """)
    }
    return passcode
  }

  private func typedNewPasscode(
    from source: GivenPasscode?, hint: String
  ) throws(Failure) -> SecretBytes {
    if let source { return try source.read() }
    guard let terminal else {
      throw Failure(
        .notInteractive, "There is no terminal to ask for the new passcode on", hint: hint)
    }
    try settleStateFolder()
    return try terminal.askNewSecret(
      "New passcode: ", again: "The same again: ", output, interrupts)
  }
}

/// What is stored of an item's secret that is not typed.
struct SecretInputOptions: ParsableArguments {
  @Flag(
    help:
      "Leave out one newline at the end of the secret, which is stored to its last byte otherwise.")
  var stripNewline = false
}

extension Invocation {
  /// The secret of an item: typed twice where standard input is a terminal, else all of standard
  /// input, byte by byte.
  /// - Parameters:
  ///   - options: what becomes of a newline at the end.
  ///   - others: what else is read, which cannot be standard input too.
  /// - Returns: its bytes.
  /// - Throws: `usage` for two secrets from one place, and what could not be read.
  func itemSecret(
    _ options: SecretInputOptions, beside others: [GivenPasscode?] = []
  ) throws(Failure) -> SecretBytes {
    let sources = ([given] + others).compactMap { $0?.source }
    try SecretSource.checkDistinct(sources + [.standardInput])
    if isatty(STDIN_FILENO) == 1, let terminal {
      try settleStateFolder()
      return try terminal.askNewSecret("Secret: ", again: "The same again: ", output, interrupts)
    }
    let secret = try SecretSource.standardInput.read(
      options.stripNewline ? .leftOut : .kept, limit: largestItemSecret, interrupts: interrupts)
    if secret.count == 0 { output.note("The secret is empty: standard input held nothing.") }
    if !options.stripNewline, secret.endsWithNewline {
      output.note(
        "The secret ends with a newline, which is stored with it; --strip-newline leaves one out.")
    }
    return secret
  }
}

extension SecretBytes {
  fileprivate var endsWithNewline: Bool {
    guard count > 0 else { return false }
    return bytes[count - 1] == 0x0A
  }
}
