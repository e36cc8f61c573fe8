import CSystemCalls
import Glibc
package import Protocol

/// Whether descriptors travel over a Unix socket (`SCM_RIGHTS`, unix(7)).
package enum DescriptorPassing {
  /// Has the other end of a socket, and of all that are accepted from this one, fail to send any
  /// (`SO_PASSRIGHTS`).
  /// - Returns: false from a kernel before 6.16, which lets them be sent.
  package static func refuse(on socket: borrowing Descriptor) -> Bool {
    ac_refuse_descriptors(socket.number) == 0
  }
}

/// Unix stream sockets that have a path (unix(7)).
///
/// A path has room for 107 bytes. A longer one is reached by its open folder: ``path(in:named:)``.
package enum UnixSocket {
  /// The path of a name in an open folder, however long the folder's own is.
  package static func path(in folder: Int32, named name: String) -> String {
    "/proc/self/fd/\(folder)/\(name)"
  }

  /// Connects.
  /// - Returns: nil where nobody listens: no socket, or one that was left behind.
  /// - Throws: what the kernel says; ENAMETOOLONG for a path that does not fit.
  package static func connect(to path: String) throws(SystemCallError) -> Descriptor? {
    let socket = try make()
    let result = unsafe try withAddress(path) { unsafe Glibc.connect(socket.number, $0, $1) }
    if result == 0 { return socket }
    if errno == ENOENT || errno == ECONNREFUSED { return nil }
    throw SystemCallError("connect")
  }

  /// Makes a socket that clients find at `path`, where nothing may lie.
  /// - Parameters:
  ///   - path: its place.
  ///   - permissions: who may connect.
  ///   - queue: how many clients may wait to be accepted.
  /// - Returns: the socket, listening.
  /// - Throws: what the kernel says.
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

  /// Waits for the next client; closed on exec.
  package static func accept(_ socket: borrowing Descriptor) throws(SystemCallError) -> Descriptor {
    let number = Glibc.accept(socket.number, nil, nil)
    guard number >= 0 else { throw SystemCallError("accept") }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return Descriptor(owning: number)
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

/// Two connected stream sockets, closed on exec: a mailbox, or the way of frames from a driver's
/// host to the enclave's.
package struct SocketPair: ~Copyable, Sendable {
  /// One end.
  package let near: Descriptor
  /// The other.
  package let far: Descriptor

  /// Makes a pair.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
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

  /// Gives up one end and closes the other.
  package consuming func takeNear() -> Descriptor { near }
}

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

/// Sends single messages to Unix datagram sockets that have a path or an abstract name (unix(7)),
/// and waits for nobody. Any thread.
package struct DatagramSocket: ~Copyable, Sendable {
  private let socket: Descriptor

  /// - Throws: where the process may open no more descriptors.
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
  /// - Returns: whether it was taken: nobody may listen there, or not fast enough.
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
    // A path ends with a zero byte, an abstract name with its length.
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

/// Lets one thread sleep until something arrives on a socket, without reading it, and lets another
/// keep it asleep meanwhile.
///
/// An epoll descriptor (epoll(7)) rather than `poll`: what is reported can change under the
/// sleeping thread, which need not wake for that. The end of the socket is reported in any case.
package struct ArrivalWatch: ~Copyable, Sendable {
  private let epoll: Descriptor
  private let socket: Int32

  /// Watches `socket`, which must stay open as long as this value is used.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
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

  /// Waits for input that is reported, or the end; may return without either.
  package func wait() { _ = ac_wait_for_input(epoll.number) }

  /// Whether input is reported.
  package func report(_ isReported: Bool) {
    _ = ac_report_input(epoll.number, socket, isReported ? 1 : 0)
  }
}
