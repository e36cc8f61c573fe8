package import Protocol

/// What answers prompts in place of a person: `--answer`, a passcode that was given, an application
/// password. The thread of the requests.
package final class GivenAnswers {
  /// Where a secret comes from that need not be asked for.
  package protocol Secret: AnyObject {
    /// A copy of the secret.
    func read() throws(Failure) -> SecretBytes
  }

  /// One that a person typed for an earlier prompt.
  private final class TypedBefore: Secret {
    private let secret: SecretBytes
    init(_ secret: consuming SecretBytes) { self.secret = secret }
    func read() throws(Failure) -> SecretBytes { secret.duplicate() }
  }

  /// What answers every prompt.
  let answer: PromptMachine.GivenAnswer?
  /// The owner's passcode.
  package var passcode: (any Secret)?
  /// The password of what is opened.
  package var appPassword: (any Secret)?
  /// Whether the passcode that is typed next answers the prompts of later requests, too.
  package var keepsTypedPasscode = false
  private var kept: (any Secret)?

  /// By default nothing is given.
  package init(answer: PromptMachine.GivenAnswer? = nil, passcode: (any Secret)? = nil) {
    (self.answer, self.passcode) = (answer, passcode)
  }

  /// Which secrets are there.
  var secrets: Set<PromptedSecret> {
    var secrets: Set<PromptedSecret> = []
    if passcode != nil { secrets.insert(.passcode) }
    if appPassword != nil { secrets.insert(.appPassword) }
    return secrets
  }

  /// A copy of one that was given; nil if none was.
  func given(_ secret: PromptedSecret) throws(Failure) -> SecretBytes? {
    switch secret {
    case .passcode: try passcode?.read()
    case .appPassword: try appPassword?.read()
    }
  }

  /// A person has typed one, as it came.
  func wasTyped(_ secret: PromptedSecret, _ typed: borrowing SecretBytes) {
    guard keepsTypedPasscode, secret == .passcode else { return }
    kept = TypedBefore(typed.duplicate())
  }

  /// A request is over: a passcode that was typed during it answers later ones.
  func requestEnded() {
    if let kept { passcode = kept }
  }
}

/// The prompts of one request after the other, shown on one screen and answered by what was given or
/// is typed on one terminal.
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
  private let given: GivenAnswers
  private var machine: PromptMachine
  private var mode: SilentMode?
  private var typed = TypedSecret()
  private var prompt: Prompt?
  /// Whether what was typed has answered the prompt on view: what comes behind it is meant for no
  /// prompt.
  private var isAnswered = false

  /// - Parameters:
  ///   - terminal: where keys are typed; nil if there is none, or it is not to be asked.
  ///   - screen: what the person sees; nil if nobody does.
  ///   - given: what answers in place of a person.
  init(on terminal: Terminal?, _ screen: PromptScreen?, _ given: GivenAnswers) {
    (self.terminal, self.screen, self.given) = (terminal, screen, given)
    machine = Self.machine(given, terminal)
  }

  /// Whether the request under way has prompted.
  var isPrompting: Bool { prompt != nil }

  /// What is to be watched for keys; nil while none are awaited.
  var keyboard: Int32? { mode == nil ? nil : terminal?.descriptor }

  /// Has the prompts of the next request answered with what is there now.
  func prepare() { machine = Self.machine(given, terminal) }

  private static func machine(_ given: GivenAnswers, _ terminal: Terminal?) -> PromptMachine {
    let secrets = given.secrets
    return PromptMachine(
      .init(
        answer: given.answer, hasPasscode: secrets.contains(.passcode),
        hasAppPassword: secrets.contains(.appPassword), hasTerminal: terminal != nil))
  }

  /// A prompt appears, in place of an earlier one of the same request.
  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    self.prompt = prompt
    isAnswered = false
    try perform(machine.show(prompt), in: conversation)
  }

  /// Takes the keys that have come; what does not concern the prompt is handed to `intrude`.
  func readKeys(
    in conversation: any PromptConversation, _ intrude: (Intrusion) throws(Failure) -> Void
  ) throws(Failure) {
    guard let bytes = terminal?.read() else {
      mode = nil
      if terminal?.isGone == true { return try intrude(.hangUp) }
      return try perform([.answer(.cancel)], in: conversation)
    }
    for key in Key.keys(in: bytes.bytes.bytes.extracting(first: bytes.count)) {
      switch key {
      case .interrupt: try intrude(.interrupt)
      case .suspend: try intrude(.suspend)
      case .byte where isAnswered, .enter where isAnswered: continue
      default:
        try perform(machine.type(key, typed: typed.count), in: conversation)
      }
    }
  }

  /// The request is over: the terminal is as it was.
  func end() {
    screen?.end()
    prompt = nil
    // Somebody is typing: what comes is meant for the prompt that is over.
    if typed.count > 0 { mode?.discardsInput = true }
    typed.removeAll()
    mode = nil
  }

  private func perform(
    _ actions: [PromptMachine.Action], in conversation: any PromptConversation
  ) throws(Failure) {
    guard let prompt else { return }
    for action in actions {
      switch action {
      case .answer(let kind):
        try conversation.answer(PromptAnswer(prompt: prompt.prompt, kind: kind))
      case .answerWithGiven(let secret):
        guard let given = try given.given(secret) else { continue }
        try conversation.answer(try PromptAnswer(prompt: prompt.prompt, secret, typed: given))
      case .answerWithTypedPasscode: try answerWithTyped(prompt, in: conversation)
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
    _ prompt: Prompt, in conversation: any PromptConversation
  ) throws(Failure) {
    guard !typed.isCut else {
      typed.removeAll()
      screen?.ask(prompt, againBecause: PromptTexts.tooLong)
      return
    }
    let secret = typed.take()
    given.wasTyped(prompt.secret, secret)
    isAnswered = true
    try conversation.answer(try PromptAnswer(prompt: prompt.prompt, prompt.secret, typed: secret))
  }
}
