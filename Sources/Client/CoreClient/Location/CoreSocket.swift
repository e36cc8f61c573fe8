import Glibc
import LinuxSystem
import Protocol

/// Connecting to a core's socket and knowing who listens there.
enum CoreSocket {
  /// Connects.
  /// - Parameters:
  ///   - path: the socket, at most 107 bytes.
  ///   - name: how messages call it.
  /// - Returns: nil where nobody listens: no socket, or one that was left behind.
  /// - Throws: `coreFailed` for a path that is too long or a socket that may not be used.
  static func connect(to path: String, named name: String) throws(Failure) -> Descriptor? {
    do throws(SystemCallError) {
      return try UnixSocket.connect(to: path)
    } catch {
      throw error.number == ENAMETOOLONG
        ? Failure(.coreFailed, "The socket's path \(name) is too long") : failure(error, name)
    }
  }

  /// Who listens, by the kernel's word.
  static func listener(of socket: borrowing Descriptor) throws(Failure) -> PeerCredentials {
    guard let peer = PeerCredentials(of: socket.number) else {
      throw failure(SystemCallError("getsockopt"), "the core's socket")
    }
    return peer
  }

  private static func failure(_ error: SystemCallError, _ name: String) -> Failure {
    Failure(.coreFailed, "Cannot reach the core of \(name): \(error)")
  }
}
