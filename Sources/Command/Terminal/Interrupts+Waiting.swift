import Glibc
import System
import Wire

extension Interrupts {
  /// Waits until `descriptor` can be read, is at its end, or is no longer open.
  /// - Throws: `appCancel` when a signal comes first; ``caught`` then says which.
  func awaitReadable(_ descriptor: Int32) throws(Failure) {
    try listening { () throws(Failure) in
      while try !isReadable(descriptor) {}
    }
  }

  /// Waits once; false when something else interrupted the wait.
  private func isReadable(_ descriptor: Int32) throws(Failure) -> Bool {
    var polled = [descriptor, self.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let ready = unsafe poll(&polled, nfds_t(polled.count), -1)
    guard ready > 0 else {
      if errno == EINTR { return false }
      throw Failure(.coreFailed, "poll: \(SystemCallError.text(of: errno))")
    }
    if polled[1].revents != 0 {
      take()
      throw Self.interrupted
    }
    return polled[0].revents != 0
  }

  /// What an interrupted command reports; its exit code is the signal's.
  static var interrupted: Failure { Failure(.appCancel, "Interrupted") }
}
