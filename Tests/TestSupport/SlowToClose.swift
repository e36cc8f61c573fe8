import Glibc
import LinuxSystem

/// A connection over the loopback whose last close waits for an hour, until this value ends.
package final class SlowToClose {
  private let listener: Descriptor
  private var accepted: Int32
  private var sender: Int32

  /// The number of the end to send; ``giveAway()`` leaves it to who received it.
  package var number: Int32 { sender }

  package init() throws {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    listener = Descriptor(owning: socket(AF_INET, type, 0))
    sender = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listening, sending) = (listener.number, sender)
    let failed = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listening, address, size) != 0 || listen(listening, 1) != 0
          || getsockname(listening, address, &size) != 0 || connect(sending, address, size) != 0
      }
    }
    guard !failed else { throw SystemCallError("connect") }
    accepted = accept(listener.number, nil, nil)
    var patience = linger(l_onoff: 1, l_linger: 3600)
    unsafe setsockopt(
      sender, SOL_SOCKET, SO_LINGER, &patience, socklen_t(MemoryLayout<linger>.size))
    _ = fcntl(sender, F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    while unsafe write(sender, bytes, bytes.count) > 0 {}
    _ = fcntl(sender, F_SETFL, 0)
  }

  /// Closes this process's own number. That waits if the other one is closed already, so a thread of
  /// its own does it.
  package func giveAway() {
    let number = sender
    sender = -1
    SystemThread.start(name: "close") { close(number) }
  }

  /// Gives up the only number, whose close waits.
  package func take() -> Int32 {
    defer { sender = -1 }
    return sender
  }

  deinit {
    // What was not read ends the connection, and everybody's wait.
    close(accepted)
    if sender >= 0 { close(sender) }
  }
}

/// A descriptor whose copies can be seen to be closed.
package final class WatchedDescriptor {
  private var pipe: LinuxSystem.Pipe

  package init() throws { pipe = try LinuxSystem.Pipe(nonBlocking: .both) }

  /// The number to send.
  package var number: Int32 { pipe.writer }

  /// Closes this process's own number.
  /// - Returns: whether every copy is closed in two minutes, which only a leak takes.
  package func isClosed() -> Bool {
    pipe.closeWriter()
    var polled = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 120_000) == 1 && polled.revents & Int16(POLLHUP) != 0
  }
}

/// Sends bytes with descriptors, in one call.
/// - Parameters:
///   - bytes: at least one.
///   - descriptors: copies travel with the first byte.
///   - isUrgent: whether the last byte is out of band (`MSG_OOB`).
///   - socket: a connected Unix socket.
/// - Returns: whether all were taken.
package func sendTogether(
  _ bytes: [UInt8], _ descriptors: [Int32], isUrgent: Bool = false, to socket: Int32
) -> Bool {
  let size = MemoryLayout<cmsghdr>.size + descriptors.count * MemoryLayout<Int32>.size
  // A size_t, then the level and the type (cmsg(3)).
  var control = [UInt64](repeating: 0, count: (size + 7) / 8)
  control[0] = UInt64(size)
  control[1] = UInt64(SOL_SOCKET) | 1 << 32  // SCM_RIGHTS
  unsafe control.withUnsafeMutableBytes { space in
    unsafe descriptors.withUnsafeBytes { numbers in
      unsafe UnsafeMutableRawBufferPointer(rebasing: space[MemoryLayout<cmsghdr>.size...])
        .copyBytes(from: numbers)
    }
  }
  var copy = bytes
  let space = control.count * 8
  return unsafe copy.withUnsafeMutableBytes { bytes in
    unsafe control.withUnsafeMutableBytes { control in
      var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return unsafe withUnsafeMutablePointer(to: &part) { part in
        var message = unsafe msghdr()
        unsafe message.msg_iov = part
        unsafe message.msg_iovlen = 1
        unsafe message.msg_control = control.baseAddress
        unsafe message.msg_controllen = descriptors.isEmpty ? 0 : space
        let flags = Int32(MSG_NOSIGNAL | (isUrgent ? MSG_OOB : 0))
        return unsafe sendmsg(socket, &message, flags) == bytes.count
      }
    }
  }
}
