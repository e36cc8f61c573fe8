import Glibc

/// Turns the signals that ask a process to end into a call on a thread of its own (sigwait(3)).
package enum SignalWatch {
  private static let asking = [SIGTERM, SIGINT, SIGHUP]

  /// Blocks the signals in this thread and those it starts. Call it before any other thread starts.
  /// Also ignores SIGPIPE.
  package static func block() {
    var set = self.set
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  package static func start(_ body: @escaping @Sendable (Int32) -> Void) {
    SystemThread.start(name: "signals") {
      var set = self.set
      var signal: Int32 = 0
      while unsafe sigwait(&set, &signal) == 0 { body(signal) }
    }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in asking { unsafe sigaddset(&set, signal) }
    return set
  }
}
