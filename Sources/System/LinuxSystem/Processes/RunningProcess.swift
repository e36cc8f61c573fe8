import CSystemCalls
import Glibc

/// A process that is no child of this one, held by a descriptor so that its number can never mean
/// another one.
package struct RunningProcess: ~Copyable, Sendable {
  /// In this process's namespace.
  package let identifier: Int32
  private let handle: Descriptor

  /// Takes hold of the process with this number; nil where there is none, as in another process
  /// namespace.
  package init?(_ identifier: Int32) {
    guard identifier > 0 else { return nil }
    self.init(identifier, heldBy: ac_pidfd_open(identifier))
  }

  /// Takes hold of the process that connected the other end of a Unix socket; nil where it is gone,
  /// or cannot be named here.
  ///
  /// A kernel before 6.5 does not hand the process out (`SO_PEERPIDFD`, unix(7)), only its number,
  /// which may mean another one if the first has ended.
  package init?(connectedTo socket: Int32) {
    guard let peer = PeerCredentials(of: socket), peer.process > 0 else { return nil }
    let number = ac_peer_pidfd(socket)
    if number < 0, errno == ENOPROTOOPT {
      self.init(peer.process)
    } else {
      self.init(peer.process, heldBy: number)
    }
  }

  private init?(_ identifier: Int32, heldBy number: Int32) {
    guard number >= 0 else { return nil }
    handle = Descriptor(owning: number)
    self.identifier = identifier
  }

  /// Whether it has ended. While it has not, its number is its own.
  package var hasEnded: Bool { awaitEnd(milliseconds: 0) }

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
