import ClientProtocol
import Glibc
import Sandbox
import Wire

/// The socket that clients find in the state folder.
struct ListeningSocket: ~Copyable, Sendable {
  private let socket: Descriptor

  /// Makes the socket, in the place of one that a core before left behind. The caller holds the folder's lock.
  init(in home: borrowing HomeFolder) throws(Failure) {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Self.failure("socket", home.path) }
    let socket = Descriptor(owning: number)
    unsafe unlinkat(home.number, StateFolder.socket, 0)
    guard SocketAddress.bind(number, in: home.number) == 0 else {
      throw Self.failure("bind", home.path)
    }
    guard unsafe fchmodat(home.number, StateFolder.socket, 0o600, 0) == 0, listen(number, 64) == 0
    else {
      throw Self.failure("listen", home.path)
    }
    self.socket = socket
  }

  private static func failure(_ call: String, _ path: String) -> Failure {
    Failure(
      .storageFailed,
      "Cannot open the socket \(path)/\(StateFolder.socket): \(SystemCallError(call).description)",
      hint: "check the permissions of the state folder, and whether its disk is full or read-only")
  }

  /// Waits for the next client.
  borrowing func accept() -> (socket: Int32, peer: PeerCredentials)? {
    let number = Glibc.accept(socket.number, nil, nil)
    guard number >= 0 else {
      // Out of descriptors: those of clients that leave come back.
      if errno == EMFILE || errno == ENFILE { usleep(100_000) }
      return nil
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard let peer = PeerCredentials(of: number) else {
      close(number)
      return nil
    }
    return (number, peer)
  }
}
