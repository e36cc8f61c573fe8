import CoreClient
import Glibc
import LinuxSystem
import Protocol

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
