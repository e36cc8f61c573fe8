import CSystemCalls
import Glibc
package import Protocol

package enum DescriptorPassing {
  /// Forbids the other end of a socket, and of all accepted from this one, to send descriptors
  /// (`SCM_RIGHTS`, `SO_PASSRIGHTS`, unix(7)). A kernel before 6.16 allows them all the same.
  package static func refuse(on socket: borrowing Descriptor) {
    _ = ac_pass_descriptors(socket.number, 0)
  }

  /// Lets the other end of one socket send descriptors.
  package static func allow(on socket: borrowing Descriptor) {
    _ = ac_pass_descriptors(socket.number, 1)
  }
}

/// Unix stream sockets with a path (unix(7)).
///
/// A path has at most 107 bytes. ``path(in:named:)`` reaches a longer one by its open folder.
package enum UnixSocket {
  /// A short path of a name in an open folder.
  package static func path(in folder: Int32, named name: String) -> String {
    "/proc/self/fd/\(folder)/\(name)"
  }

  /// - Returns: nil if no process listens: no socket, or one that was left behind.
  /// - Throws: the kernel's error; ENAMETOOLONG for a path that does not fit, EAGAIN after
  ///   `milliseconds`, if they are positive: a listener that accepts nobody keeps clients waiting.
  package static func connect(
    to path: String, milliseconds: Int32 = 0
  ) throws(SystemCallError) -> Descriptor? {
    let socket = try make()
    var limit = timeval(tv_sec: Int(milliseconds / 1000), tv_usec: Int(milliseconds % 1000) * 1000)
    _ = unsafe setsockopt(
      socket.number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = unsafe try withAddress(path) { unsafe Glibc.connect(socket.number, $0, $1) }
    if result == 0 { return socket }
    if errno == ENOENT || errno == ECONNREFUSED { return nil }
    throw SystemCallError("connect")
  }

  /// Listens at `path`, which must be free.
  /// - Parameters:
  ///   - path: of the socket.
  ///   - permissions: who may connect.
  ///   - queue: clients that may wait to be accepted.
  /// - Returns: the listening socket.
  /// - Throws: the kernel's error.
  package static func listen(
    at path: String, permissions: UInt32, queue: Int32
  ) throws(SystemCallError) -> Descriptor {
    let socket = try make()
    guard unsafe try withAddress(path, { unsafe bind(socket.number, $0, $1) }) == 0 else {
      throw SystemCallError("bind")
    }
    // Nobody can connect before it listens.
    guard unsafe chmod(path, permissions) == 0 else { throw SystemCallError("chmod") }
    guard Glibc.listen(socket.number, queue) == 0 else { throw SystemCallError("listen") }
    return socket
  }

  /// Waits for the next client.
  /// - Parameters:
  ///   - socket: listens.
  ///   - line: closes the client's socket, in which descriptors may lie unread.
  ///   - serve: takes the client, unless the kernel does not say who it is.
  /// - Throws: the kernel's error.
  package static func accept(
    _ socket: borrowing Descriptor, closedBy line: (PeerCredentials) -> ClosingLine,
    _ serve: (consuming Descriptor, PeerCredentials) -> Void
  ) throws(SystemCallError) {
    let number = Glibc.accept(socket.number, nil, nil)
    guard number >= 0 else { throw SystemCallError("accept") }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    let peer = PeerCredentials(of: number)
    let client = Descriptor(
      owning: number, closedBy: line(peer ?? PeerCredentials(process: 0, user: .max)))
    takeUrgentBytes(from: client)
    if let peer { serve(client, peer) }
  }

  /// Has urgent bytes (`MSG_OOB`) come in order. Else the kernel drops one, and closes a descriptor
  /// that came with it, in the thread that reads what follows.
  package static func takeUrgentBytes(from socket: borrowing Descriptor) {
    var yes: Int32 = 1
    unsafe setsockopt(
      socket.number, SOL_SOCKET, SO_OOBINLINE, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func make() throws(SystemCallError) -> Descriptor {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemCallError("socket") }
    return Descriptor(owning: number)
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemCallError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemCallError("connect", number: ENAMETOOLONG)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
      unsafe field.copyBytes(from: path.utf8)
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// Two connected stream sockets, closed on exec: a mailbox, or the channel of frames from a
/// driver's host to the enclave's.
package struct SocketPair: ~Copyable, Sendable {
  package let near: Descriptor
  package let far: Descriptor

  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw Failure(
        .coreFailed, "Cannot make a pair of sockets: \(SystemCallError("socketpair").reason)",
        hint: "check the limit on open files (ulimit -n)")
    }
    near = Descriptor(owning: ends[0])
    far = Descriptor(owning: ends[1])
  }

  /// Gives up one end, and closes the other.
  package consuming func takeNear() -> Descriptor { near }
}

/// The process at the other end of a Unix socket, by the kernel's word (`SO_PEERCRED`, unix(7)).
package struct PeerCredentials: Equatable, Sendable {
  /// The process that connected, in this process's namespace; 0 if it is not visible here.
  package let process: Int32
  /// Its effective user id when it connected.
  package let user: UInt32

  package init(process: Int32, user: UInt32) {
    (self.process, self.user) = (process, user)
  }

  /// Nil if the kernel does not say.
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

/// Sends single messages to Unix datagram sockets (unix(7)) without waiting. Any thread.
package struct DatagramSocket: ~Copyable, Sendable {
  private let socket: Descriptor

  /// - Throws: if the process may open no more descriptors.
  package init() throws(SystemCallError) {
    let type = Int32(
      SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = Glibc.socket(AF_UNIX, type, 0)
    guard number >= 0 else { throw SystemCallError("socket") }
    socket = Descriptor(owning: number)
  }

  /// Sends one message, whole or not at all.
  /// - Parameters:
  ///   - message: its bytes.
  ///   - name: a path, or `@` and an abstract name.
  /// - Returns: false if no process listens, or not fast enough.
  package borrowing func send(_ message: [UInt8], to name: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return false
    }
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
      unsafe field.copyBytes(from: bytes)
    }
    // A path ends with a zero byte, an abstract name does not.
    let begin = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
    let size = socklen_t(begin + bytes.count + (isAbstract ? 0 : 1))
    let sent = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe message.withUnsafeBytes { bytes in
          unsafe sendto(
            socket.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), address,
            size)
        }
      }
    }
    return sent == message.count
  }
}

/// Lets one thread sleep until input arrives on a socket, without reading it, while another can
/// keep it asleep.
///
/// Uses epoll(7) instead of `poll`: the reported events can change without waking the sleeping
/// thread. The end of the socket is always reported.
package struct ArrivalWatch: ~Copyable, Sendable {
  private let epoll: Descriptor
  private let socket: Int32

  /// - Parameter socket: must stay open as long as this value is used.
  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init(_ socket: Int32) throws(Failure) {
    let number = ac_watch_input(socket)
    guard number >= 0 else {
      throw Failure(
        .coreFailed, "Cannot watch a mailbox: \(SystemCallError("epoll_create1").reason)",
        hint: "check the limit on open files (ulimit -n)")
    }
    epoll = Descriptor(owning: number)
    self.socket = socket
  }

  /// Waits for reported input, or the end; may also return without either.
  package func wait() { _ = ac_wait_for_input(epoll.number) }

  package func report(_ isReported: Bool) {
    _ = ac_report_input(epoll.number, socket, isReported ? 1 : 0)
  }
}
