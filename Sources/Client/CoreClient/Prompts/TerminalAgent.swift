import Glibc
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

/// How a program obeys what a person at its terminal does to the program, and not only to a prompt.
/// The thread of the request.
package protocol TerminalJob: AnyObject {
  /// Can be read when a signal came; nil for a program whose signals are its own affair.
  var signalDescriptor: Int32? { get }
  /// The signal that came; nil if it concerns no prompt.
  func takeSignal() -> TerminalSignal?
  /// Takes note of a key, or of a terminal that is gone.
  /// - Returns: whether the program obeys it.
  func takes(_ intrusion: PromptDialog.Intrusion) -> Bool
  /// The request is over, and the terminal is in order.
  func requestEnded()
  /// Stops the program until the shell continues it. The terminal has to be in order by then.
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

/// The program that a library is part of. It installs no handlers: Ctrl-C and Ctrl-Z end or withdraw
/// the request, and are then sent to the whole job, as the terminal would have done.
final class ApplicationJob: TerminalJob {
  private var isInterrupted = false

  var signalDescriptor: Int32? { nil }

  func takeSignal() -> TerminalSignal? { nil }

  func takes(_ intrusion: PromptDialog.Intrusion) -> Bool {
    switch intrusion {
    case .interrupt: isInterrupted = true
    case .suspend: return !JobControl.isIgnored(SIGTSTP)
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

/// What the keys of a terminal do to the programs that run on it, for a prompt that takes those
/// keys itself. Installs no handlers: what a program does with these signals is its own affair.
package enum JobControl {
  /// Whether the signal of this number passes the process by, as nohup(1) has it.
  package static func isIgnored(_ number: Int32) -> Bool {
    // SIG_IGN is the function pointer 1 (signal.h).
    handler(of: number) == 1
  }

  /// Ctrl-C, for everything that the shell runs as one job with this process.
  static func interrupt() { _ = kill(0, SIGINT) }

  /// Ctrl-Z, likewise: returns when the shell continues the job (`fg`, `bg`). The terminal has to
  /// be in order by then. Where no shell could continue it the kernel drops the signal.
  static func suspend() {
    // SIG_DFL is the function pointer 0.
    guard handler(of: SIGTSTP) == 0 else {
      _ = kill(0, SIGTSTP)
      return
    }
    // Which of several threads takes a signal is the kernel's choice, and this one would run on a
    // moment longer and ask again. One that is directed at it, and let through last, stops it here;
    // continuing takes away what of the two has not been taken (signal(7), "SIGCONT").
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

  private static func handler(of number: Int32) -> Int {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return 0 }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
  }
}
