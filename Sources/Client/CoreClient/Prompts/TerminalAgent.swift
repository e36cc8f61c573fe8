import Glibc
import LinuxSystem
package import Protocol

/// Asks on the controlling terminal, or answers with given secrets, and shows progress. Command and
/// applications differ in how they obey the terminal (``TerminalJob``).
///
/// It changes nothing in its process except the mode of the terminal, from the first prompt to the
/// end of the request. If a signal ends the process meanwhile, its shell restores the mode. The
/// thread of the requests, one after another.
package final class TerminalAgent: PromptAgent {
  package let given: GivenAnswers
  private let terminal: Terminal?
  private let screen: PromptScreen?
  private let job: any TerminalJob
  private let dialog: PromptDialog
  private let cancellation: CancellationSignal?
  /// The descriptor of the cancellation, which stays readable.
  private let cancelled: Int32?
  private var isCancelled = false
  /// Whether the request was withdrawn because the program is suspended while it asks.
  private var isSuspended = false
  /// When to say that the request is under way.
  package private(set) var wakesAt: ContinuousClock.Instant?

  /// How long a request of the command may take without output.
  private static let silenceLimit = Duration.seconds(1)

  /// - Parameters:
  ///   - terminal: where the person is asked, or nil.
  ///   - screen: what the person sees, or nil.
  ///   - job: how the program obeys the terminal.
  ///   - takesKeys: whether answers are typed there.
  ///   - given: answers instead of a person.
  ///   - cancellation: lets another thread end the request.
  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init(
    on terminal: Terminal?, _ screen: PromptScreen?, of job: any TerminalJob,
    takesKeys: Bool = true, given: GivenAnswers = GivenAnswers(),
    cancelledBy cancellation: CancellationSignal? = nil
  ) throws(Failure) {
    self.terminal = terminal
    self.screen = screen
    self.job = job
    self.given = given
    self.cancellation = cancellation
    cancelled = try cancellation?.descriptor()
    dialog = PromptDialog(on: takesKeys ? terminal : nil, screen, given)
  }

  /// The agent of an application's request.
  /// - Parameters:
  ///   - terminal: ``Terminal/controlling()``, or nil if the person cannot be asked there.
  ///   - situation: that of the terminal.
  ///   - look: the terminal's capabilities.
  ///   - letters: the characters that it can show.
  ///   - cancellation: ends the request.
  /// - Throws: as ``init(on:_:of:takesKeys:given:cancelledBy:)``.
  package convenience init(
    of terminal: Terminal?, _ situation: TerminalSituation,
    look: Display.Look = .ofEnvironment(), letters: Letters = .ofLocale(),
    cancelledBy cancellation: CancellationSignal? = nil
  ) throws(Failure) {
    let terminal = situation.showsPrompts ? terminal : nil
    // Another program may write there, too, between lines that are replaced.
    let look = situation.takesKeys ? look : .dumb
    let screen = terminal.map {
      PromptScreen(on: Display($0.descriptor, look, letters), .terminal)
    }
    try self.init(
      on: terminal, screen, of: ApplicationJob(), takesKeys: situation.takesKeys,
      cancelledBy: cancellation)
  }

  package var countsTries: Bool {
    get { screen?.countsTries ?? true }
    set { screen?.countsTries = newValue }
  }

  /// Whether another program may read the keys of the terminal, so that no passcode is typed there.
  package var isBesideOtherReader: Bool {
    terminal.map { $0.isInForeground && $0.hasOtherReader } ?? false
  }

  /// Only a command in the foreground says on its own that it is working.
  package func requestBegins() throws(Failure) {
    if cancellation?.isCancelled == true { throw .requestCancelled }
    wakesAt = terminal != nil && screen?.isOfCommand == true ? .now + Self.silenceLimit : nil
  }

  package func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    wakesAt = nil
    try dialog.show(prompt, in: conversation)
    if screen?.isStopped == true {
      throw Failure(
        .notInteractive, "the terminal is stopped and takes no prompt", hint: "Ctrl-Q lets it go on"
      )
    }
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

/// How a program obeys actions at its terminal that concern the program and not only a prompt. The
/// thread of the request.
package protocol TerminalJob: AnyObject {
  /// Readable when a signal came; nil if the program handles its signals itself.
  var signalDescriptor: Int32? { get }
  /// The signal that came; nil if it concerns no prompt.
  func takeSignal() -> TerminalSignal?
  /// Notes a key, or a terminal that is gone.
  /// - Returns: whether the program obeys it.
  func takes(_ intrusion: PromptDialog.Intrusion) -> Bool
  /// The request is over, and the terminal is restored.
  func requestEnded()
  /// Stops the program until the shell continues it. The terminal must have been restored.
  func stop()
}

/// A signal that concerns a prompt.
package enum TerminalSignal {
  /// The program is to end.
  case end
  /// It is to be suspended.
  case suspend
  /// The terminal has another size.
  case resize
}

extension TerminalJob {
  /// Stops the program until the shell continues it.
  /// - Parameter terminal: where it asked; nil if nowhere.
  /// - Throws: `notInteractive` if it goes on in the background of that.
  package func suspend(asking terminal: Terminal?) throws(Failure) {
    stop()
    if let terminal, !terminal.isInForeground { throw .wentToBackground }
  }
}

/// The program that uses the library. No handlers are installed: Ctrl-C and Ctrl-Z end or withdraw
/// the request, and are then sent to the whole job, as the terminal would have done.
final class ApplicationJob: TerminalJob {
  private var isInterrupted = false

  var signalDescriptor: Int32? { nil }

  func takeSignal() -> TerminalSignal? { nil }

  func takes(_ intrusion: PromptDialog.Intrusion) -> Bool {
    switch intrusion {
    case .interrupt: isInterrupted = true
    case .suspend: return !SignalAction.isIgnored(SIGTSTP)
    case .hangUp: break
    }
    return true
  }

  func requestEnded() {
    guard isInterrupted else { return }
    isInterrupted = false
    JobControl.interrupt()
  }

  func stop() { JobControl.suspend() }
}

/// Does what the keys of a terminal do to the programs on it, for a prompt that reads those keys
/// itself. Installs no handlers: how a program handles these signals is up to it.
package enum JobControl {
  /// Ctrl-C, for the whole job of this process.
  static func interrupt() { _ = kill(0, SIGINT) }

  /// Ctrl-Z, likewise: returns when the shell continues the job (`fg`, `bg`). The terminal must
  /// have been restored. If no shell could continue the job, the kernel drops the signal.
  static func suspend() {
    guard SignalAction.isDefault(SIGTSTP) else {
      _ = kill(0, SIGTSTP)
      return
    }
    // The kernel chooses which thread takes a signal, and this one might run on and ask again. A
    // second signal, directed at this thread and unblocked last, stops it here; continuing discards
    // whichever of the two is pending (signal(7), "SIGCONT").
    var stop = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &stop, &before)
    _ = pthread_kill(pthread_self(), SIGTSTP)
    _ = kill(0, SIGTSTP)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
