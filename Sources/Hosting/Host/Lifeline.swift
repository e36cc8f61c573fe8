import Glibc
import LinuxSystem

/// Ends this process when its mailbox closes while the one thread that serves it is busy with an
/// engine that does not return.
enum Lifeline {
  /// How long the engine has to end what it does and be destroyed.
  private static let graceMicroseconds: UInt32 = 300_000

  /// Watches the socket from a thread of its own.
  static func watch(_ mailbox: Int32) {
    SystemThread.start(name: "lifeline") {
      // POLLRDHUP tells the end of the other side even while its last messages wait to be read
      // (poll(2)).
      var poll = pollfd(fd: mailbox, events: hangUp, revents: 0)
      while unsafe Glibc.poll(&poll, 1, -1) <= 0 {}
      usleep(graceMicroseconds)
      _exit(0)
    }
  }

  private static let hangUp: Int16 = 0x2000  // POLLRDHUP
}
