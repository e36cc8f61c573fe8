import Glibc

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
