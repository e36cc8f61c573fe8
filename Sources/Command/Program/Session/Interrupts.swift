import CoreClient
import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The write end of the pipe that reports signals while somebody listens, or −1.
///
/// Global because a signal handler can reach nothing else. It is initialized before the handlers
/// are installed.
private let listener = Atomic<Int32>(-1)

/// Signals that end a command (Ctrl-C, `kill`, a closed terminal) or suspend it (Ctrl-Z), and
/// changes of the terminal's size.
///
/// While somebody listens (during a prompt or a request), a signal makes ``descriptor`` readable,
/// and the command cleans up before it obeys. Otherwise it obeys at once. The exit code is 128 plus
/// the signal's number: 130 for Ctrl-C.
final class Interrupts {
  /// Readable after a signal, while somebody listens.
  let descriptor: Int32
  private let writer: Int32
  /// The signal that ends the command.
  private(set) var caught: Int32?
  /// Whether to suspend the whole job of the shell.
  private var suspendsJob = false
  private let mayBeSuspended: Bool

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Installs the handlers; once for each process.
  /// - Parameter isJSON: whether a command that ends at once prints an object.
  init(isJSON: Bool) {
    var ends: [Int32] = [-1, -1]
    // Without a pipe, signals end the command at once, and a terminal may not be restored.
    _ = unsafe pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    writer = ends[1]
    listener.store(-1, ordering: .sequentiallyConsistent)
    mayBeSuspended = !SignalAction.isIgnored(SIGTSTP)
    // A signal that the caller ignores stays ignored.
    for number in Self.signals where !SignalAction.isIgnored(number) {
      _ =
        isJSON
        ? signal(number) { Interrupts.stop(on: $0, saying: Interrupts.object) }
        : signal(number) { Interrupts.stop(on: $0, saying: "") }
    }
  }

  /// What `--json` prints when the command ends outside of any request.
  private static let object: StaticString =
    "{\"error\":{\"code\":-9,\"name\":\"appCancel\",\"message\":\"Interrupted\"}}\n"

  /// Runs in a signal handler, so it does only what signal-safety(7) allows.
  private static func stop(on number: Int32, saying text: StaticString) {
    guard !report(number) else { return }
    _ = unsafe write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(128 + number)
  }

  /// Also runs in a signal handler. Returns false if nobody listens.
  @discardableResult
  private static func report(_ number: Int32) -> Bool {
    let writer = listener.load(ordering: .sequentiallyConsistent)
    guard writer >= 0 else { return false }
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(writer, &byte, 1)
    return true
  }

  /// Runs `body` with signals readable at ``descriptor``. May be nested.
  func listening<R: ~Copyable>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    let before = listener.exchange(writer, ordering: .sequentiallyConsistent)
    if before < 0 { takeOver() }
    defer {
      if before < 0 { handBack() }
      listener.store(before, ordering: .sequentiallyConsistent)
    }
    return try body()
  }

  /// While nobody listens, these signals act by default.
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

  /// SIGHUP may come before or after the end of input. A key that suspends is for the whole job.
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

  /// A suspension by a signal is for this process alone.
  func stop() {
    let isListening = listener.load(ordering: .sequentiallyConsistent) >= 0
    _ = signal(SIGTSTP, SIG_DFL)
    // The signal is delivered before kill(2) returns. The kernel drops it if no shell could
    // continue the process.
    _ = kill(suspendsJob ? 0 : getpid(), SIGTSTP)
    suspendsJob = false
    if isListening { takeOver() }
  }
}

extension Interrupts {
  /// What ended a wait.
  enum Wake {
    /// The descriptor is readable, at its end, or closed.
    case readable
    case suspend
    case resize
  }

  /// Waits until `descriptor` is readable, at its end, or closed. A suspended command goes on
  /// waiting.
  /// - Throws: `appCancel` after a signal, which ``caught`` has.
  func awaitReadable(_ descriptor: Int32) throws(Failure) {
    while true {
      switch try wait(for: descriptor) {
      case .readable: return
      case .suspend: stop()
      case .resize: continue
      }
    }
  }

  /// Waits for `descriptor`, or for something that concerns a prompt.
  func wait(for descriptor: Int32) throws(Failure) -> Wake {
    try listening { () throws(Failure) in
      while true {
        if let wake = try waitOnce(for: descriptor) { return wake }
      }
    }
  }

  /// One wait; nil if something else interrupted it.
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

  static var interrupted: Failure { Failure(.appCancel, "Interrupted") }
}
