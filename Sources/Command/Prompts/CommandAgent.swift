import AuthCoreClient
import ClientProtocol
import Wire

/// The agent of a command: answers the core's prompts from the command line and the terminal, and
/// shows what happens meanwhile.
final class CommandAgent: PromptAgent {
  private var machine: PromptMachine
  private let terminal: Terminal?
  private var given: GivenPasscode?
  private var givenAppPassword: GivenPasscode?
  private let answer: PromptMachine.GivenAnswer?
  private let interrupts: Interrupts
  private let screen: PromptScreen
  private var mode: SilentMode?
  private var typed = TypedSecret()
  /// The passcode that was typed last, where it is kept.
  private var kept: GivenPasscode?
  private var prompt: UInt32 = 0
  private var isPrompting = false
  /// Whether the request was withdrawn because the command is suspended while it asks: a job that
  /// is not in the foreground gets no touch.
  private var isSuspended = false
  /// When it is said that the request is under way.
  private(set) var wakesAt: ContinuousClock.Instant?

  /// How long a request may take without a word.
  private static let patience = Duration.seconds(1)

  /// `terminal` is where keys are typed, nil where there is none or it is not to be asked; `given`
  /// is the passcode of the command line.
  init(
    answer: PromptMachine.GivenAnswer?, terminal: Terminal?, given: GivenPasscode?,
    interrupts: Interrupts, screen: PromptScreen
  ) {
    machine = PromptMachine(
      .init(answer: answer, hasPasscode: given != nil, hasTerminal: terminal != nil))
    self.answer = answer
    self.terminal = terminal
    self.given = given
    self.interrupts = interrupts
    self.screen = screen
  }

  private func renewMachine() {
    machine = PromptMachine(
      .init(
        answer: answer, hasPasscode: given != nil, hasAppPassword: givenAppPassword != nil,
        hasTerminal: terminal != nil))
  }

  /// Whether a miss leaves further tries to speak of.
  var countsTries: Bool {
    get { screen.countsTries }
    set { screen.countsTries = newValue }
  }

  /// Answers passcode prompts of later requests with this.
  func use(_ passcode: GivenPasscode) {
    given = passcode
    renewMachine()
  }

  /// Whether the passcode that is typed next answers the passcode prompts of later requests, too.
  var keepsTypedPasscode = false

  /// Answers prompts for the application password of what later requests open with this.
  func use(appPassword: GivenPasscode) {
    givenAppPassword = appPassword
    renewMachine()
  }

  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    self.prompt = prompt.prompt
    isPrompting = true
    wakesAt = nil
    try perform(machine.show(prompt), in: conversation)
  }

  func tell(_ progress: Progress.Event) { screen.tell(progress) }

  /// A request is about to be sent. A job in the background says nothing of its own accord.
  func requestBegins() { wakesAt = terminal == nil ? nil : .now + Self.patience }

  func timePassed() {
    wakesAt = nil
    screen.show(.working)
  }

  /// Stops the command where the request that is over was withdrawn for that.
  /// - Returns: whether it was, and the request is to be sent again if it failed.
  /// - Throws: `notInteractive` where the command goes on in the background.
  func suspend() throws(Failure) -> Bool {
    guard isSuspended else { return false }
    isSuspended = false
    if let terminal { try terminal.suspend(interrupts) } else { interrupts.suspend() }
    return true
  }

  private func beginSuspension(_ conversation: any PromptConversation) throws(Failure) {
    guard isPrompting else { return interrupts.suspend() }
    isSuspended = true
    try conversation.cancelRequest()
  }

  var watchedDescriptors: [Int32] {
    guard mode != nil, let terminal else { return [interrupts.descriptor] }
    return [interrupts.descriptor, terminal.descriptor]
  }

  func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {
    if number == interrupts.descriptor {
      switch interrupts.take() {
      case .end: try conversation.cancelRequest()
      case .suspend: try beginSuspension(conversation)
      case .resize: screen.redraw()
      case nil: break
      }
      return
    }
    guard let bytes = terminal?.read() else {
      mode = nil
      if terminal?.isGone == true {
        interrupts.takeHangUp()
        return try conversation.cancelRequest()
      }
      return try perform([.answer(.cancel)], in: conversation)
    }
    for key in Key.keys(in: bytes.bytes.bytes.extracting(first: bytes.count)) {
      switch key {
      case .interrupt:
        interrupts.takeKey()
        try conversation.cancelRequest()
      case .suspend:
        if interrupts.takeSuspendKey() { try beginSuspension(conversation) }
      default: try perform(machine.type(key, typed: typed.count), in: conversation)
      }
    }
  }

  func requestEnded() {
    if let kept { given = kept }
    renewMachine()
    screen.end()
    isPrompting = false
    wakesAt = nil
    // Somebody is typing: what comes is meant for the prompt that is over.
    if typed.count > 0 { mode?.discardsInput = true }
    typed.removeAll()
    mode = nil
  }

  private func answer(
    with typed: consuming SecretBytes, to secret: PromptedSecret,
    in conversation: any PromptConversation
  ) throws(Failure) {
    switch secret {
    case .passcode:
      try conversation.answer(PromptAnswer(prompt: prompt, passcode: typed))
    case .appPassword:
      try conversation.answer(
        PromptAnswer(
          prompt: prompt, kind: .passcode,
          passcode: try GivenPasscode.inNormalForm(typed, limit: longestAppPassword)))
    }
  }

  private func perform(
    _ actions: [PromptMachine.Action], in conversation: any PromptConversation
  ) throws(Failure) {
    for action in actions {
      switch action {
      case .answer(let kind):
        try conversation.answer(PromptAnswer(prompt: prompt, kind: kind))
      case .answerWithGiven(let secret):
        guard let given = secret == .passcode ? given : givenAppPassword else { continue }
        try answer(with: try given.read(), to: secret, in: conversation)
      case .answerWithTypedPasscode:
        let typed = typed.take()
        if keepsTypedPasscode, machine.secret == .passcode {
          kept = GivenPasscode(typed.duplicate(), interrupts)
        }
        try answer(with: typed, to: machine.secret, in: conversation)
      case .listen:
        guard mode == nil, let terminal else { continue }
        mode = SilentMode(terminal)
      case .append(let byte): typed.append(byte)
      case .removeLast: typed.removeLast()
      case .removeAll: typed.removeAll()
      case .show(let view): screen.show(view)
      }
    }
  }
}
