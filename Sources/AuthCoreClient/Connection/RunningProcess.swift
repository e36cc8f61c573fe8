import CSystemCalls
import Glibc
import System
import Wire

/// A process that is no child of this one, held by a descriptor so that its number can never mean
/// another one.
package struct RunningProcess: ~Copyable, Sendable {
  private let handle: Descriptor

  /// Takes hold of the process with this number; nil where there is none, as in another process
  /// namespace.
  package init?(_ identifier: Int32) {
    guard identifier > 0 else { return nil }
    let number = ac_pidfd_open(identifier)
    guard number >= 0 else { return nil }
    handle = Descriptor(owning: number)
  }

  /// Waits until it has ended (pidfd_open(2): its descriptor is readable then).
  /// - Returns: whether it did before the deadline.
  package borrowing func awaitEnd(milliseconds: Int32) -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(Int(milliseconds))
    while true {
      var polled = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
      let left = max(0, (deadline - ContinuousClock.now) / .milliseconds(1))
      let ready = unsafe poll(&polled, 1, Int32(left))
      if ready > 0 { return true }
      if ready == 0 || errno != EINTR { return false }
    }
  }
}
