import Glibc
import LinuxSystem
import Protocol

/// Watches for the end of a client while its request is carried out.
final class HangUpWatch: Sendable {
  private let ended: WakePipe

  /// Starts to watch, on a thread of its own.
  /// - Parameters:
  ///   - socket: the client's, open until ``end()`` at least.
  ///   - time: after which the client counts as gone; nil for ever.
  ///   - hungUp: is called there at most once, if the client closes its side.
  /// - Throws: `coreFailed` if the process may open no more descriptors.
  init(
    _ socket: Int32, within time: Duration? = nil, _ hungUp: @escaping @Sendable () -> Void
  ) throws(Failure) {
    let ended = try WakePipe()
    self.ended = ended
    let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw Failure(.coreFailed, "Too many descriptors are open") }
    let client = DescriptorList(owning: [copy])
    let end = time.map { Deadline(milliseconds: Int32($0 / .milliseconds(1))) }
    SystemThread.start(name: "hang-up") {
      // Without an event, poll(2) reports only that both directions are closed.
      var polled = [
        pollfd(fd: client.numbers[0], events: 0, revents: 0),
        pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      while unsafe poll(&polled, 2, end?.remainingMilliseconds ?? -1) < 0, errno == EINTR {}
      if polled[1].revents == 0 { hungUp() }
    }
  }

  /// Ends the watch.
  func end() { ended.wake() }
}
