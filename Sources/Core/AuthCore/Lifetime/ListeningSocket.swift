import Glibc
import LinuxSystem
import Protocol

/// The socket that clients find in the state folder.
struct ListeningSocket: ~Copyable, Sendable {
  private let socket: Descriptor

  /// Makes the socket, in the place of one that a core before left behind. The caller holds the
  /// folder's lock.
  init(in home: borrowing HomeFolder) throws(Failure) {
    unsafe unlinkat(home.number, StateFolder.socket, 0)
    do throws(SystemCallError) {
      let made = try UnixSocket.listen(
        at: Self.path(in: home.number), permissions: 0o600, queue: 1024)
      // Here, not on each client's socket: what a client sends before it is accepted counts, too.
      try MessageWriter.receive(on: made)
      socket = made
    } catch {
      throw Failure(
        .storageFailed, "Cannot open the socket \(home.path)/\(StateFolder.socket): \(error)",
        hint: "check the permissions of the state folder, and whether its disk is full or read-only"
      )
    }
  }

  /// Whether somebody listens on the socket in this open folder.
  static func isServed(in folder: Int32) -> Bool {
    do throws(SystemCallError) {
      return try UnixSocket.connect(to: path(in: folder)) != nil
    } catch {
      return false
    }
  }

  private static func path(in folder: Int32) -> String {
    UnixSocket.path(in: folder, named: StateFolder.socket)
  }

  /// Waits for the next client.
  borrowing func accept() -> (socket: Int32, peer: PeerCredentials)? {
    do throws(SystemCallError) {
      let client = try UnixSocket.accept(socket)
      guard let peer = PeerCredentials(of: client.number) else { return nil }
      return (client.release(), peer)
    } catch {
      // Out of descriptors: those of clients that leave come back.
      if error.number == EMFILE || error.number == ENFILE { usleep(100_000) }
      return nil
    }
  }
}
