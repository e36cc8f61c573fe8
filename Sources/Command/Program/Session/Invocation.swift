import ArgumentParser
import CoreClient
import Glibc
import Protocol

/// One run of a command: its options, and what it needs to run.
final class Invocation {
  let options: GlobalOptions
  let environment: ClientEnvironment
  let output: Output
  let interrupts: Interrupts
  /// The passcode of `--passcode-fd` or `--passcode-file`.
  let given: GivenPasscode?
  private lazy var controllingTerminal = asksNobody ? nil : Terminal.controlling()
  /// Ignores the controlling terminal. Set it before ``terminal`` is used.
  var asksNobody = false

  /// What the command found, for its exit code.
  var result = CommandResult.done
  /// What the command does if its state folder is missing.
  var missingStateFolder = MissingStateFolder.refused
  /// Whether a person has agreed to make one.
  var mayMakeStateFolder = false

  /// Where a person can be asked; nil without a controlling terminal or in its background (A6).
  /// Before a secret is typed there, see ``Terminal/hasOtherReader``.
  var terminal: Terminal? {
    situation.showsPrompts ? controllingTerminal : nil
  }

  init(_ options: GlobalOptions, _ output: Output, _ interrupts: Interrupts) throws(Failure) {
    (self.options, self.output, self.interrupts) = (options, output, interrupts)
    environment = .current()
    let longest = PromptOptions.longestTimeoutMilliseconds / 1000
    guard options.timeout >= 0.001, options.timeout <= Double(longest) else {
      throw .usage("--timeout is between 0.001 and \(longest) seconds")
    }
    given = try options.passcode.source().map { GivenPasscode($0, interrupts) }
  }

  /// Whether there is a controlling terminal, even if the command is in its background.
  var hasTerminal: Bool { controllingTerminal != nil }

  private var touch: AwaitedTouch {
    situation.awaitedTouch(isUnattended: options.unattended)
  }

  /// The parts of the command that act for other programs are started by those.
  private var situation: TerminalSituation {
    TerminalSituation(
      of: controllingTerminal, startedBy: applicationName == nil ? nil : getppid())
  }

  /// Whether a passcode can be typed. Once it can, only prompts look for other readers again.
  private var takesKeys: Bool {
    if !isAlone { isAlone = terminal.map { !$0.hasOtherReader } ?? false }
    return isAlone && terminal != nil
  }
  private var isAlone = false

  /// Whether an option answers prompts instead of a person.
  var answersByItself = false

  /// Whether requests unlock a locked device.
  var unlocks = false
  /// The application that this command acts for, as prompts name it; nil if a person typed the
  /// command.
  var applicationName: String?

  /// How to unlock a locked device; nil if it is not to be unlocked. A given passcode is not used
  /// for that without a terminal.
  var unlockingOptions: PromptOptions? {
    guard unlocks, given == nil || terminal != nil else { return nil }
    return promptOptions()
  }

  var timeoutMilliseconds: UInt32 { UInt32(options.timeout * 1000) }

  /// How requests may prompt. `usesPasscodeAtOnce` uses a given passcode before any touch.
  /// `knowsPasscode` says that this command can answer with a passcode that was not given.
  func promptOptions(
    reason: String = "", fallbackTitle: String? = nil, cancelTitle: String? = nil,
    usesPasscodeAtOnce: Bool = false, knowsPasscode: Bool = false
  ) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle,
      timeoutMilliseconds: timeoutMilliseconds,
      mayPrompt: touch != .none || given != nil || answersByItself, touch: touch,
      canGivePasscode: knowsPasscode || given != nil || takesKeys,
      prefersPasscode: usesPasscodeAtOnce && given != nil,
      mayUseAgent: situation.mayUseAgent && options.answer == nil && !answersByItself,
      applicationName: applicationName)
  }

  func makeAgent() throws(Failure) -> TerminalAgent {
    try TerminalAgent(
      on: terminal, PromptScreen(output, on: terminal, isUnattended: touch == .unattended),
      of: interrupts, given: GivenAnswers(answer: options.answer, passcode: given))
  }

  /// A passcode to set, from `source` or the terminal.
  /// - Throws: `notInteractive` without either, `passcodeTooShort`.
  func newPasscode(from source: GivenPasscode?, hint: String) throws(Failure) -> SecretBytes {
    if let source { return try asNewPasscode(source.read()) }
    guard let terminal else {
      throw Failure(
        .notInteractive, "There is no terminal to ask for the new passcode on", hint: hint)
    }
    try settleStateFolder()
    return try asNewPasscode(terminal.askNewSecret("New passcode: ", output, interrupts))
  }

  /// A chosen passcode in normal form. Warns if it is weak.
  /// - Throws: `passcodeTooShort`, or `usage` if it is too long.
  func asNewPasscode(_ typed: consuming SecretBytes) throws(Failure) -> SecretBytes {
    let passcode = try typed.inNormalForm(limit: longestPasscode)
    let count = try PasscodeRules.check(passcode)
    if count < PasscodeRules.advisedCharacters {
      output.note(
        """
        Anybody who has a copy of the state folder and its root key can find a passcode of \
        \(count) characters within hours, or within minutes if it is digits. Use \
        \(PasscodeRules.advisedCharacters) or more.
        """)
    }
    return passcode
  }
}

/// How standard input becomes a secret.
struct SecretInputOptions: ParsableArguments {
  @Flag(help: "Leave out one newline at the end of the secret. Otherwise every byte is stored.")
  var stripNewline = false
}

extension Invocation {
  /// The secret of an item: typed twice on a terminal, or all of standard input. `others` are
  /// secrets that must not come from there too.
  func itemSecret(
    _ options: SecretInputOptions, beside others: [GivenPasscode?] = []
  ) throws(Failure) -> SecretBytes {
    let sources = ([given] + others).compactMap { $0?.source }
    try SecretSource.checkDistinct(sources + [.standardInput])
    if isatty(STDIN_FILENO) == 1, let terminal {
      try settleStateFolder()
      return try terminal.askNewSecret("Secret: ", output, interrupts)
    }
    let secret = try SecretSource.standardInput.read(
      options.stripNewline ? .leftOut : .kept, limit: largestItemSecret, interrupts: interrupts)
    if secret.count == 0 { output.note("The secret is empty: standard input held nothing.") }
    if !options.stripNewline, secret.endsWithNewline {
      output.note("The secret ends with a newline, which is stored. --strip-newline leaves it out.")
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
