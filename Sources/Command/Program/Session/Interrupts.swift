import CoreClient
import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The write end of the pipe that signals are reported through while somebody listens; −1 while
/// nobody does.
///
/// Global because a signal handler can reach nothing else. It is touched before the handlers are
/// installed, so the handler never runs its initializer.
private let listener = Atomic<Int32>(-1)

/// What comes to a command from outside: what makes it end early (Ctrl-C, `kill`, a terminal that
/// is closed), what suspends it (Ctrl-Z), and that its terminal has another size.
///
/// While somebody listens (a prompt is open, a request is under way) a signal becomes readable at
/// ``descriptor`` and the command puts everything in order before it obeys; at any other moment it
/// obeys at once. The exit code of a command that is ended is 128 and the signal's number: 130 for
/// Ctrl-C.
final class Interrupts {
  /// Readable when a signal came while somebody listened.
  let descriptor: Int32
  private let writer: Int32
  /// The signal that ends the command, if one came.
  private(set) var caught: Int32?
  /// Whether the suspension concerns everything that the shell runs as one job.
  private var suspendsJob = false
  private let mayBeSuspended: Bool

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Installs the handlers; once for each process.
  /// - Parameter isJSON: a command that is ended at once still prints its one object.
  init(isJSON: Bool) {
    var ends: [Int32] = [-1, -1]
    // Without a pipe signals end the command at once, which loses a restored terminal and nothing
    // else.
    _ = unsafe pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    writer = ends[1]
    listener.store(-1, ordering: .sequentiallyConsistent)
    mayBeSuspended = !JobControl.isIgnored(SIGTSTP)
    // Whoever ran this command with a signal ignored wants it to pass the command by.
    for number in Self.signals where !JobControl.isIgnored(number) {
      _ =
        isJSON
        ? signal(number) { Interrupts.stop(on: $0, saying: Interrupts.object) }
        : signal(number) { Interrupts.stop(on: $0, saying: "") }
    }
  }

  /// What a command with `--json` prints when it is ended outside of any request.
  private static let object: StaticString =
    "{\"error\":{\"code\":-9,\"name\":\"appCancel\",\"message\":\"Interrupted\"}}\n"

  /// In a signal handler: only what signal-safety(7) allows.
  private static func stop(on number: Int32, saying text: StaticString) {
    guard !report(number) else { return }
    _ = unsafe write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(128 + number)
  }

  /// The same; false where nobody listens.
  @discardableResult
  private static func report(_ number: Int32) -> Bool {
    let writer = listener.load(ordering: .sequentiallyConsistent)
    guard writer >= 0 else { return false }
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(writer, &byte, 1)
    return true
  }

  /// Runs `body` with signals readable at ``descriptor``; may be nested.
  func listening<R: ~Copyable>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    let before = listener.exchange(writer, ordering: .sequentiallyConsistent)
    if before < 0 { takeOver() }
    defer {
      if before < 0 { handBack() }
      listener.store(before, ordering: .sequentiallyConsistent)
    }
    return try body()
  }

  /// What nobody listens for does what it always does.
  private func takeOver() {
    if mayBeSuspended { _ = signal(SIGTSTP) { Interrupts.report($0) } }
    _ = signal(SIGWINCH) { Interrupts.report($0) }
  }

  private func handBack() {
    if mayBeSuspended { _ = signal(SIGTSTP, SIG_DFL) }
    _ = signal(SIGWINCH, SIG_DFL)
  }
}

extension Interrupts: TerminalJob {
  var signalDescriptor: Int32? { descriptor }

  /// The signal of a terminal that is gone comes a little earlier or later than the end of what can
  /// be read. A key that suspends is meant for the whole job.
  func takes(_ intrusion: PromptDialog.Intrusion) -> Bool {
    switch intrusion {
    case .interrupt: caught = SIGINT
    case .hangUp: caught = SIGHUP
    case .suspend:
      suspendsJob = mayBeSuspended
      return mayBeSuspended
    }
    return true
  }

  /// After ``TerminalSignal/end``, ``caught`` says which signal it was.
  func takeSignal() -> TerminalSignal? {
    var byte: UInt8 = 0
    guard unsafe read(descriptor, &byte, 1) == 1 else { return nil }
    switch Int32(byte) {
    case SIGTSTP: return .suspend
    case SIGWINCH: return .resize
    default:
      caught = Int32(byte)
      return .end
    }
  }

  func requestEnded() {}

  /// A suspension that came by a signal is meant for this process alone.
  func stop() {
    let isListening = listener.load(ordering: .sequentiallyConsistent) >= 0
    _ = signal(SIGTSTP, SIG_DFL)
    // It is delivered before kill(2) returns; where no shell could continue it the kernel drops it.
    _ = kill(suspendsJob ? 0 : getpid(), SIGTSTP)
    suspendsJob = false
    if isListening { takeOver() }
  }
}

extension Interrupts {
  /// What ended a wait.
  enum Wake {
    /// The descriptor can be read, is at its end, or is no longer open.
    case readable
    case suspend
    case resize
  }

  /// Waits until `descriptor` can be read, is at its end, or is no longer open. A command that is
  /// suspended meanwhile goes on waiting.
  /// - Throws: `appCancel` when a signal comes first; ``caught`` then says which.
  func awaitReadable(_ descriptor: Int32) throws(Failure) {
    while true {
      switch try wait(for: descriptor) {
      case .readable: return
      case .suspend: stop()
      case .resize: continue
      }
    }
  }

  /// Waits for `descriptor` or for something that a prompt has to know of.
  /// - Throws: as ``awaitReadable(_:)``.
  func wait(for descriptor: Int32) throws(Failure) -> Wake {
    try listening { () throws(Failure) in
      while true {
        if let wake = try waitOnce(for: descriptor) { return wake }
      }
    }
  }

  /// Nil when something else interrupted the wait.
  private func waitOnce(for descriptor: Int32) throws(Failure) -> Wake? {
    var polled = [descriptor, self.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let ready = unsafe poll(&polled, nfds_t(polled.count), -1)
    guard ready > 0 else {
      if errno == EINTR { return nil }
      throw Failure(.coreFailed, "poll: \(SystemCallError.text(of: errno))")
    }
    guard polled[1].revents != 0 else { return polled[0].revents != 0 ? .readable : nil }
    switch takeSignal() {
    case .end: throw Self.interrupted
    case .suspend: return .suspend
    case .resize: return .resize
    case nil: return nil
    }
  }

  /// What an interrupted command reports; its exit code is the signal's.
  static var interrupted: Failure { Failure(.appCancel, "Interrupted") }
}
