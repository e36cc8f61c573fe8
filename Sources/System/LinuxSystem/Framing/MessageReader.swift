import Glibc
package import Protocol

/// Reads messages from a socket whose other end is not trusted to finish what it begins.
package struct MessageReader: ~Copyable, Sendable {
  private var assembler: MessageAssembler

  /// - Parameter limit: bytes of a message.
  package init(limit: Int) { assembler = MessageAssembler(limit: limit) }

  /// Gives the next message without waiting; nil when it is not complete. Reads nothing ahead, so a
  /// message that waits can be polled for.
  /// - Throws: ``StreamError``: `closed`, `truncated` when the other side ended inside a message,
  ///   `tooLong`, `tooManyDescriptors`, `system`.
  package mutating func readAvailable(from socket: Int32) throws(StreamError) -> SecretBytes? {
    let isInsideMessage = assembler.isInsideMessage
    var hasMore = true
    // Nobody sends descriptors to a reader; somebody who does is not heard any more.
    var descriptors = ReceivedDescriptors()
    var writers = MessageWriters()
    while hasMore {
      let message = unsafe try assembler.take {
        (space: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int in
        let count = unsafe MessageFraming.read(socket, into: space, &descriptors, &writers)
        try descriptors.check(atMost: 0)
        if count > 0 { return count }
        if count == 0 { throw isInsideMessage ? .truncated : .closed }
        switch errno {
        case EINTR: return 0
        case EAGAIN:
          hasMore = false
          return 0
        case ECONNRESET: throw .closed
        default: throw .system(call: "recvmsg", errno: errno)
        }
      }
      if let message { return message }
    }
    return nil
  }

  /// Waits for the next message until the deadline; nil when it passes, wherever in the message
  /// that is.
  package mutating func read(
    from socket: Int32, until deadline: Deadline
  ) throws(StreamError) -> SecretBytes? {
    // Whoever waits for a message has nearly always come before it.
    while true {
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let ready = unsafe Glibc.poll(&poll, 1, deadline.remainingMilliseconds)
      if ready == 0 { return nil }
      if ready < 0, errno != EINTR { throw .system(call: "poll", errno: errno) }
      if ready > 0, let message = try readAvailable(from: socket) { return message }
    }
  }
}
