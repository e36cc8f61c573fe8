import Glibc

/// Who is at the other end of a Unix socket, by the kernel's word (`SO_PEERCRED`, unix(7)).
package struct PeerCredentials: Equatable, Sendable {
  /// The process that connected, in this process's namespace; 0 when it is not visible here.
  package let process: Int32
  /// Its effective user id when it connected.
  package let user: UInt32

  /// Describes a peer.
  package init(process: Int32, user: UInt32) {
    (self.process, self.user) = (process, user)
  }

  /// Asks the kernel about `socket`; nil when it does not say.
  package init?(of socket: Int32) {
    // struct ucred: pid_t, uid_t, gid_t; Swift does not import it.
    var fields: [UInt32] = [0, 0, 0]
    var size = socklen_t(fields.count * MemoryLayout<UInt32>.size)
    let status = unsafe fields.withUnsafeMutableBytes { buffer in
      unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, buffer.baseAddress, &size)
    }
    guard status == 0 else { return nil }
    process = Int32(bitPattern: fields[0])
    user = fields[1]
  }
}
