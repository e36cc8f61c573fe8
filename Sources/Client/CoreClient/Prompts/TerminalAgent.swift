package import Protocol

/// Asks on the terminal that controls the process, or answers with what was given, and shows what
/// happens meanwhile. The command and applications differ in how they obey the terminal
/// (``TerminalJob``).
///
/// It changes nothing of its process but the mode of the terminal, from the first prompt to the end
/// of the request. A process that a signal ends meanwhile leaves that to its shell. The thread of the
/// requests, one after the other.
package final class TerminalAgent: PromptAgent {
  /// What answers in place of a person.
  package let given: GivenAnswers
  private let terminal: Terminal?
  private let screen: PromptScreen?
  private let job: any TerminalJob
  private let dialog: PromptDialog
  private let cancellation: CancellationSignal?
  /// Of the cancellation; it stays readable.
  private let cancelled: Int32?
  private var isCancelled = false
  /// Whether the request was withdrawn because the program is suspended while it asks.
  private var isSuspended = false
  /// When it is said that the request is under way.
  package private(set) var wakesAt: ContinuousClock.Instant?

  /// How long a request of the command may take without a word.
  private static let patience = Duration.seconds(1)

  /// - Parameters:
  ///   - terminal: where keys are typed; nil if there is none, or it is not to be asked.
  ///   - screen: what the person sees; nil if nobody does.
  ///   - job: how the program obeys the terminal.
  ///   - given: what answers in place of a person.
  ///   - cancellation: another thread's way to end the request.
  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init(
    on terminal: Terminal?, _ screen: PromptScreen?, of job: any TerminalJob,
    given: GivenAnswers = GivenAnswers(), cancelledBy cancellation: CancellationSignal? = nil
  ) throws(Failure) {
    self.terminal = terminal
    self.screen = screen
    self.job = job
    self.given = given
    self.cancellation = cancellation
    cancelled = try cancellation?.descriptor()
    dialog = PromptDialog(on: terminal, screen, given)
  }

  /// The agent of an application's request.
  /// - Parameters:
  ///   - terminal: ``Terminal/controlling()``; nil if there is none, or it is not to be asked.
  ///   - situation: that of the terminal; keys are taken in the foreground alone.
  ///   - look: what the terminal is sent.
  ///   - cancellation: ends the request.
  /// - Throws: as ``init(on:_:of:given:cancelledBy:)``.
  package convenience init(
    of terminal: Terminal?, _ situation: TerminalSituation,
    look: Display.Look = .ofEnvironment(), cancelledBy cancellation: CancellationSignal? = nil
  ) throws(Failure) {
    let terminal = situation.takesKeys ? terminal : nil
    let screen = terminal.map {
      PromptScreen(on: Display($0.descriptor, look, .ofLocale()), .terminal)
    }
    try self.init(on: terminal, screen, of: ApplicationJob(), cancelledBy: cancellation)
  }

  /// Whether a miss leaves further tries to speak of.
  package var countsTries: Bool {
    get { screen?.countsTries ?? true }
    set { screen?.countsTries = newValue }
  }

  /// A job in the background, and a library, say nothing of their own accord.
  package func requestBegins() throws(Failure) {
    if cancellation?.isCancelled == true { throw .requestCancelled }
    dialog.prepare()
    wakesAt = terminal != nil && screen?.isOfCommand == true ? .now + Self.patience : nil
  }

  package func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    wakesAt = nil
    try dialog.show(prompt, in: conversation)
  }

  package func tell(_ progress: Progress.Event) { screen?.tell(progress) }

  package func timePassed() {
    wakesAt = nil
    screen?.show(.working)
  }

  package var watchedDescriptors: [Int32] {
    [job.signalDescriptor, isCancelled ? nil : cancelled, dialog.keyboard].compactMap(\.self)
  }

  package func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {
    if number == cancelled {
      isCancelled = true
      return try conversation.cancelRequest()
    }
    if number == job.signalDescriptor {
      switch job.takeSignal() {
      case .end: try conversation.cancelRequest()
      case .suspend: try beginSuspension(conversation)
      case .resize: screen?.redraw()
      case nil: break
      }
      return
    }
    try dialog.readKeys(in: conversation) { (intrusion) throws(Failure) in
      guard job.takes(intrusion) else { return }
      if intrusion == .suspend { return try beginSuspension(conversation) }
      try conversation.cancelRequest()
    }
  }

  private func beginSuspension(_ conversation: any PromptConversation) throws(Failure) {
    guard dialog.isPrompting else { return job.stop() }
    isSuspended = true
    try conversation.cancelRequest()
  }

  package func requestEnded() {
    dialog.end()
    given.requestEnded()
    wakesAt = nil
    job.requestEnded()
  }

  package func suspend() throws(Failure) -> Bool {
    guard isSuspended else { return false }
    isSuspended = false
    try job.suspend(asking: terminal)
    return true
  }
}
