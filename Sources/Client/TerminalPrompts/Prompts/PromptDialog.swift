package import CoreConnections
package import Protocol

/// The prompts of one request after the other, shown on one screen and answered by what is typed on
/// one terminal: what the agents of the command and of applications share.
///
/// The thread of the request.
package final class PromptDialog {
  /// What a person did that concerns the program, and not only its prompt.
  package enum Intrusion {
    /// Ctrl-C.
    case interrupt
    /// Ctrl-Z.
    case suspend
    /// The terminal is gone.
    case hangUp
  }

  private let terminal: Terminal?
  private let screen: PromptScreen?
  private var machine = PromptMachine(.init())
  private var mode: SilentMode?
  private var typed = TypedSecret()
  private var prompt: Prompt?
  /// Whether what was typed has answered the prompt on view: what comes behind it is meant for no
  /// prompt.
  private var isAnswered = false

  /// - Parameters:
  ///   - terminal: where keys are typed; nil where there is none, or it is not to be asked.
  ///   - screen: what the person sees; nil where nobody does.
  package init(on terminal: Terminal?, _ screen: PromptScreen?) {
    self.terminal = terminal
    self.screen = screen
  }

  /// Whether the request under way has prompted.
  package var isPrompting: Bool { prompt != nil }

  /// What is to be watched for keys; nil while none are awaited.
  package var keyboard: Int32? { mode == nil ? nil : terminal?.descriptor }

  /// Has the prompts of later requests answered with what is there.
  package func prepare(
    _ answer: PromptMachine.GivenAnswer? = nil, given: Set<PromptedSecret> = []
  ) {
    machine = PromptMachine(
      .init(
        answer: answer, hasPasscode: given.contains(.passcode),
        hasAppPassword: given.contains(.appPassword), hasTerminal: terminal != nil))
  }

  /// A prompt appears, in place of an earlier one of the same request.
  package func show(
    _ prompt: Prompt, in conversation: any PromptConversation,
    from supply: (any SecretSupply)? = nil
  ) throws(Failure) {
    self.prompt = prompt
    isAnswered = false
    try perform(machine.show(prompt), in: conversation, from: supply)
  }

  /// Takes the keys that have come; what does not concern the prompt is handed to `intrude`.
  package func readKeys(
    in conversation: any PromptConversation, from supply: (any SecretSupply)? = nil,
    _ intrude: (Intrusion) throws(Failure) -> Void
  ) throws(Failure) {
    guard let bytes = terminal?.read() else {
      mode = nil
      if terminal?.isGone == true { return try intrude(.hangUp) }
      return try perform([.answer(.cancel)], in: conversation, from: supply)
    }
    for key in Key.keys(in: bytes.bytes.bytes.extracting(first: bytes.count)) {
      switch key {
      case .interrupt: try intrude(.interrupt)
      case .suspend: try intrude(.suspend)
      case .byte where isAnswered, .enter where isAnswered: continue
      default:
        try perform(machine.type(key, typed: typed.count), in: conversation, from: supply)
      }
    }
  }

  /// The request is over: the terminal is as it was.
  package func end() {
    screen?.end()
    prompt = nil
    // Somebody is typing: what comes is meant for the prompt that is over.
    if typed.count > 0 { mode?.discardsInput = true }
    typed.removeAll()
    mode = nil
  }

  private func perform(
    _ actions: [PromptMachine.Action], in conversation: any PromptConversation,
    from supply: (any SecretSupply)?
  ) throws(Failure) {
    guard let prompt else { return }
    for action in actions {
      switch action {
      case .answer(let kind):
        try conversation.answer(PromptAnswer(prompt: prompt.prompt, kind: kind))
      case .answerWithGiven(let secret):
        guard let given = try supply?.given(secret) else { continue }
        try conversation.answer(try PromptAnswer(prompt: prompt.prompt, secret, typed: given))
      case .answerWithTypedPasscode: try answerWithTyped(prompt, in: conversation, for: supply)
      case .listen:
        guard let terminal else { continue }
        // What was typed before this prompt is no answer to it.
        if mode == nil { mode = SilentMode(terminal) } else { terminal.forgetTyped() }
      case .append(let byte): typed.append(byte)
      case .removeLast: typed.removeLast()
      case .removeAll: typed.removeAll()
      case .show(let view): screen?.show(view)
      }
    }
  }

  /// What is longer than any passcode would count as a wrong one, and is not sent.
  private func answerWithTyped(
    _ prompt: Prompt, in conversation: any PromptConversation, for supply: (any SecretSupply)?
  ) throws(Failure) {
    guard !typed.isCut else {
      typed.removeAll()
      screen?.ask(prompt, againBecause: TypedSecret.tooLong)
      return
    }
    let secret = typed.take()
    supply?.wasTyped(prompt.secret, secret)
    isAnswered = true
    try conversation.answer(try PromptAnswer(prompt: prompt.prompt, prompt.secret, typed: secret))
  }
}

/// Has secrets in place of a person, and hears of those that a person types.
package protocol SecretSupply: AnyObject {
  /// A copy of the one that was given; nil where none was.
  func given(_ secret: PromptedSecret) throws(Failure) -> SecretBytes?
  /// A person has typed one, as it came.
  func wasTyped(_ secret: PromptedSecret, _ typed: borrowing SecretBytes)
}
