import Glibc

/// Turns the signals that ask a process to end into a call on a thread of its own (sigwait(3)).
package enum SignalWatch {
  /// Those that the caller ignores stay ignored: a hang-up under nohup(1), Ctrl-C in a script's
  /// background. SIGTERM ends a process in any case.
  private static var asking: [Int32] {
    [SIGTERM] + [SIGINT, SIGHUP].filter { !SignalAction.isIgnored($0) }
  }

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

/// What this process does on a signal (sigaction(2)).
package enum SignalAction {
  /// Whether it is ignored, as under nohup(1).
  package static func isIgnored(_ number: Int32) -> Bool {
    // SIG_IGN is the function pointer 1 (signal.h).
    handler(of: number) == 1
  }

  /// Whether the kernel does what it does by default.
  package static func isDefault(_ number: Int32) -> Bool {
    // SIG_DFL is the function pointer 0.
    handler(of: number) == 0
  }

  private static func handler(of number: Int32) -> Int {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return 0 }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
  }
}
