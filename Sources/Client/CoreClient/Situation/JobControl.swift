import Glibc

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
