import CoreConnections
import Protocol
import TerminalPrompts

/// The agent of a command: answers the core's prompts from the command line and the terminal, and
/// shows what happens meanwhile.
final class CommandAgent: SuspendableAgent {
  private let dialog: PromptDialog
  private let terminal: Terminal?
  private var given: GivenPasscode?
  private var givenAppPassword: GivenPasscode?
  private let answer: PromptMachine.GivenAnswer?
  private let interrupts: Interrupts
  private let screen: PromptScreen
  /// The passcode that was typed last, where it is kept.
  private var kept: GivenPasscode?
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
    dialog = PromptDialog(on: terminal, screen)
    self.answer = answer
    self.terminal = terminal
    self.given = given
    self.interrupts = interrupts
    self.screen = screen
    prepare()
  }

  private func prepare() {
    var secrets: Set<PromptedSecret> = []
    if given != nil { secrets.insert(.passcode) }
    if givenAppPassword != nil { secrets.insert(.appPassword) }
    dialog.prepare(answer, given: secrets)
  }

  /// Whether a miss leaves further tries to speak of.
  var countsTries: Bool {
    get { screen.countsTries }
    set { screen.countsTries = newValue }
  }

  /// Answers passcode prompts of later requests with this.
  func use(_ passcode: GivenPasscode) {
    given = passcode
    prepare()
  }

  /// Whether the passcode that is typed next answers the passcode prompts of later requests, too.
  var keepsTypedPasscode = false

  /// Answers prompts for the application password of what later requests open with this.
  func use(appPassword: GivenPasscode) {
    givenAppPassword = appPassword
    prepare()
  }

  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    wakesAt = nil
    try dialog.show(prompt, in: conversation, from: self)
  }

  func tell(_ progress: Progress.Event) { screen.tell(progress) }

  /// A request is about to be sent. A job in the background says nothing of its own accord.
  func requestBegins() { wakesAt = terminal == nil ? nil : .now + Self.patience }

  func timePassed() {
    wakesAt = nil
    screen.show(.working)
  }

  func suspend() throws(Failure) -> Bool {
    guard isSuspended else { return false }
    isSuspended = false
    if let terminal { try terminal.suspend(interrupts) } else { interrupts.suspend() }
    return true
  }

  private func beginSuspension(_ conversation: any PromptConversation) throws(Failure) {
    guard dialog.isPrompting else { return interrupts.suspend() }
    isSuspended = true
    try conversation.cancelRequest()
  }

  var watchedDescriptors: [Int32] {
    [interrupts.descriptor, dialog.keyboard].compactMap(\.self)
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
    try dialog.readKeys(in: conversation, from: self) { (intrusion) throws(Failure) in
      switch intrusion {
      case .interrupt:
        interrupts.takeKey()
        try conversation.cancelRequest()
      case .hangUp:
        interrupts.takeHangUp()
        try conversation.cancelRequest()
      case .suspend: if interrupts.takeSuspendKey() { try beginSuspension(conversation) }
      }
    }
  }

  func requestEnded() {
    dialog.end()
    if let kept { given = kept }
    prepare()
    wakesAt = nil
  }
}

extension CommandAgent: SecretSupply {
  func given(_ secret: PromptedSecret) throws(Failure) -> SecretBytes? {
    switch secret {
    case .passcode: try given?.read()
    case .appPassword: try givenAppPassword?.read()
    }
  }

  func wasTyped(_ secret: PromptedSecret, _ typed: borrowing SecretBytes) {
    guard keepsTypedPasscode, secret == .passcode else { return }
    kept = GivenPasscode(typed.duplicate(), interrupts)
  }
}
