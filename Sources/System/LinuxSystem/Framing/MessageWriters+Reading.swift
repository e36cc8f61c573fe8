import CSystemCalls
import Glibc

extension MessageWriters {
  /// Waits for bytes on a stream socket, and notes who wrote them (``MessageWriter/receive(on:)``).
  /// The kernel closes descriptors that come with them.
  /// - Returns: as read(2).
  package mutating func read(_ socket: Int32, into space: inout [UInt8]) -> Int {
    while true {
      var writer = ac_writer()
      var room = 0
      let count = unsafe space.withUnsafeMutableBytes { space in
        unsafe ac_receive(socket, space.baseAddress, space.count, nil, &room, &writer)
      }
      if count > 0 { note(writer) }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return count }
      var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&polled, 1, -1)
    }
  }
}
