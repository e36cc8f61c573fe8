import Glibc
package import Protocol

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
