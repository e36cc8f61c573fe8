package import Protocol

/// Answers prompts instead of a person: `--answer`, a given passcode, an application password. The
/// thread of the requests.
package final class GivenAnswers {
  /// The source of a given secret.
  package protocol Secret: AnyObject {
    func read() throws(Failure) -> SecretBytes
  }

  /// A secret that a person typed for an earlier prompt.
  private final class TypedBefore: Secret {
    private let secret: SecretBytes
    init(_ secret: consuming SecretBytes) { self.secret = secret }
    func read() throws(Failure) -> SecretBytes { secret.duplicate() }
  }

  /// The answer to every prompt.
  let answer: PromptMachine.GivenAnswer?
  package var passcode: (any Secret)?
  package var appPassword: (any Secret)?
  /// Whether the next typed passcode also answers the prompts of later requests.
  package var keepsTypedPasscode = false
  private var kept: (any Secret)?

  package init(answer: PromptMachine.GivenAnswer? = nil, passcode: (any Secret)? = nil) {
    (self.answer, self.passcode) = (answer, passcode)
  }

  var secrets: Set<PromptedSecret> {
    var secrets: Set<PromptedSecret> = []
    if passcode != nil { secrets.insert(.passcode) }
    if appPassword != nil { secrets.insert(.appPassword) }
    return secrets
  }

  /// A copy of a given secret, or nil.
  func given(_ secret: PromptedSecret) throws(Failure) -> SecretBytes? {
    switch secret {
    case .passcode: try passcode?.read()
    case .appPassword: try appPassword?.read()
    }
  }

  /// Notes a secret that a person typed.
  func wasTyped(_ secret: PromptedSecret, _ typed: borrowing SecretBytes) {
    guard keepsTypedPasscode, secret == .passcode else { return }
    kept = TypedBefore(typed.duplicate())
  }

  /// A request is over: a passcode typed during it answers later ones.
  func requestEnded() {
    if let kept { passcode = kept }
  }
}

/// Shows the prompts of one request after another on a screen, and answers them with given or typed
/// secrets. The thread of the request.
package final class PromptDialog {
  /// An action of the person that concerns the program and not only its prompt.
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
  /// That of the request under way, from its first prompt on.
  private var machine: PromptMachine
  private var mode: SilentMode?
  private var typed = TypedSecret()
  private var prompt: Prompt?
  /// Whether typed input has answered the prompt on view; further input belongs to no prompt.
  private var isAnswered = false

  /// - Parameters:
  ///   - terminal: where keys are typed, or nil if the person cannot be asked there.
  ///   - screen: what the person sees, or nil.
  ///   - given: answers instead of a person.
  init(on terminal: Terminal?, _ screen: PromptScreen?, _ given: GivenAnswers) {
    (self.terminal, self.screen, self.given) = (terminal, screen, given)
    machine = PromptMachine(.init())
  }

  /// Whether the request under way has prompted.
  var isPrompting: Bool { prompt != nil }

  /// The descriptor to watch for keys, or nil while none are awaited.
  var keyboard: Int32? { mode == nil ? nil : terminal?.descriptor }

  /// Prepares for the prompts of a request, with the secrets that are given now. Keys are only read
  /// where no other program gets them.
  private func prepare() {
    let takesKeys = terminal.map { !$0.hasOtherReader } ?? false
    let secrets = given.secrets
    machine = PromptMachine(
      .init(
        answer: given.answer, hasPasscode: secrets.contains(.passcode),
        hasAppPassword: secrets.contains(.appPassword), hasTerminal: takesKeys))
    screen?.offersKeys = takesKeys
  }

  /// A prompt appears, in place of an earlier one of the same request.
  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    if self.prompt == nil { prepare() }
    self.prompt = prompt
    isAnswered = false
    try perform(machine.show(prompt), in: conversation)
  }

  /// Handles typed keys; those that do not concern the prompt go to `intrude`.
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

  /// Ends the request and restores the terminal.
  func end() {
    screen?.end()
    prompt = nil
    // Somebody is typing: further input belongs to the prompt that is over.
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
        // Input from before this prompt is not an answer to it.
        if mode == nil { mode = SilentMode(terminal) } else { terminal.forgetTyped() }
      case .append(let byte): typed.append(byte)
      case .removeLast: typed.removeLast()
      case .removeAll: typed.removeAll()
      case .show(let view): screen?.show(view)
      }
    }
  }

  /// Input longer than any passcode would count as a wrong one, so it is not sent.
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
