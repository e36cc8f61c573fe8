import Glibc
import Sandbox
import Wire

/// Connecting to a core's socket and knowing who listens there.
enum CoreSocket {
  /// Connects.
  /// - Parameters:
  ///   - path: the socket, at most 107 bytes.
  ///   - name: how messages call it.
  /// - Returns: nil where nobody listens: no socket, or one that was left behind.
  /// - Throws: `coreFailed` for a path that is too long or a socket that may not be used.
  static func connect(to path: String, named name: String) throws(Failure) -> Descriptor? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else {
      throw Failure(.coreFailed, "The socket's path \(name) is too long")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      unsafe target.copyBytes(from: path.utf8)
    }
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw failure("socket", name) }
    let descriptor = Descriptor(owning: number)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Glibc.connect(number, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return descriptor }
    if errno == ENOENT || errno == ECONNREFUSED { return nil }
    throw failure("connect", name)
  }

  /// Who listens, by the kernel's word.
  struct Listener {
    let process: Int32
    let user: UInt32
  }

  /// The process and user behind a connected socket (`SO_PEERCRED`, unix(7)).
  static func listener(of socket: borrowing Descriptor) throws(Failure) -> Listener {
    // struct ucred: process, user and group, four bytes each.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    let result = unsafe getsockopt(
      socket.number, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    guard result == 0, size == 12 else { throw failure("getsockopt", "the core's socket") }
    return Listener(process: Int32(bitPattern: credentials[0]), user: credentials[1])
  }

  private static func failure(_ call: String, _ name: String) -> Failure {
    Failure(
      .coreFailed, "Cannot reach the core of \(name): \(call): \(SystemCallError.text(of: errno))")
  }
}
