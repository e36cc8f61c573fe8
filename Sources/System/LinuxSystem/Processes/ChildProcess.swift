import CSystemCalls
import Glibc

/// A started program, held by a descriptor so that its number can never mean another process.
///
/// Letting go of the value neither ends nor reaps the process; the owner says ``kill()`` and
/// ``wait(milliseconds:)``.
package struct ChildProcess: ~Copyable, Sendable {
  /// The process number, for messages.
  package let identifier: Int32
  private let handle: Descriptor

  init(identifier: Int32) throws(SystemCallError) {
    self.identifier = identifier
    let number = ac_pidfd_open(identifier)
    guard number >= 0 else { throw SystemCallError("pidfd_open") }
    handle = Descriptor(owning: number)
  }

  /// A pidfd: readable once the process has ended. To poll, not to close.
  package var pidfd: Int32 { handle.number }

  /// Ends it (SIGKILL); without effect when it has ended.
  package borrowing func kill() { _ = ac_pidfd_kill(handle.number, SIGKILL) }

  /// Waits until the process has ended, and reaps it.
  /// - Parameter milliseconds: at most; negative: for ever.
  /// - Returns: how it ended, or nil when the deadline passed. A process reaped before counts as
  ///   ended with status 0.
  package borrowing func wait(milliseconds: Int32 = -1) -> ProcessEnd? {
    var poll = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = unsafe Glibc.poll(&poll, 1, milliseconds)
      if ready == 0 { return nil }
      if ready > 0 || errno != EINTR { break }
    }
    var code: Int32 = 0
    var status: Int32 = 0
    switch unsafe ac_pidfd_reap(handle.number, &code, &status) {
    case 1: return code == CLD_EXITED ? .exited(status) : .signaled(status)
    case 0: return nil
    default: return .exited(0)
    }
  }
}
