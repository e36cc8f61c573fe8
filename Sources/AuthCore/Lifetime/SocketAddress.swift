import ClientProtocol
import Glibc

/// The address of the core's socket, by way of the open folder: a path of any length fits into `sun_path` so (unix(7)).
enum SocketAddress {
  /// Whether somebody listens on the socket in this folder.
  static func canConnect(in folder: Int32) -> Bool {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    return unsafe withAddress(in: folder) { unsafe connect(socket, $0, $1) } == 0
  }

  /// Binds `socket` in this folder.
  static func bind(_ socket: Int32, in folder: Int32) -> Int32 {
    unsafe withAddress(in: folder) { unsafe Glibc.bind(socket, $0, $1) }
  }

  private static func withAddress(
    in folder: Int32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = "/proc/self/fd/\(folder)/\(StateFolder.socket)"
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
      for (index, byte) in path.utf8.prefix(field.count - 1).enumerated() {
        unsafe field[index] = byte
      }
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
