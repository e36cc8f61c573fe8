import Glibc
import Synchronization
import Wire

/// The write end of the pipe that signals are reported through while somebody listens; −1 while
/// nobody does.
///
/// Global because a signal handler can reach nothing else. It is touched before the handlers are
/// installed, so the handler never runs its initialiser.
private let listener = Atomic<Int32>(-1)

/// What makes a command end early from outside: Ctrl-C, `kill`, a terminal that is closed.
///
/// While somebody listens (a prompt is open, a request is under way) a signal becomes readable at
/// ``descriptor`` and the command puts everything in order before it ends; at any other moment it
/// ends at once. Either way the exit code is 128 and the signal's number: 130 for Ctrl-C.
final class Interrupts {
  /// Readable when a signal came while somebody listened.
  let descriptor: Int32
  private let writer: Int32
  /// The signal that came, if one did.
  private(set) var caught: Int32?

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
    for number in Self.signals where !Self.isIgnored(number) {
      _ =
        isJSON
        ? signal(number) { Interrupts.stop(on: $0, saying: Interrupts.object) }
        : signal(number) { Interrupts.stop(on: $0, saying: "") }
    }
  }

  /// Whoever ran this command wants the signal to pass it by, as nohup(1) does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is the function pointer 1 (signal.h).
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// What a command with `--json` prints when it is ended outside of any request.
  private static let object: StaticString =
    "{\"error\":{\"code\":-9,\"name\":\"appCancel\",\"message\":\"Interrupted\"}}\n"

  /// In a signal handler: only what signal-safety(7) allows.
  private static func stop(on number: Int32, saying text: StaticString) {
    let writer = listener.load(ordering: .sequentiallyConsistent)
    guard writer < 0 else {
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe write(writer, &byte, 1)
      return
    }
    _ = unsafe write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(128 + number)
  }

  /// Runs `body` with signals readable at ``descriptor``; may be nested.
  func listening<R: ~Copyable>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    let before = listener.exchange(writer, ordering: .sequentiallyConsistent)
    defer { listener.store(before, ordering: .sequentiallyConsistent) }
    return try body()
  }

  /// Takes note of Ctrl-C where it comes as a key.
  func takeKey() { caught = SIGINT }

  /// Takes note of a signal when ``descriptor`` is readable.
  func take() {
    var byte: UInt8 = 0
    if unsafe read(descriptor, &byte, 1) == 1 { caught = Int32(byte) }
  }
}
