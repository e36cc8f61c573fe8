import Glibc
package import Protocol

/// Reads messages from a socket whose other end may not finish them.
package struct MessageReader: ~Copyable, Sendable {
  private var assembler: MessageAssembler

  package init(limit: Int) { assembler = MessageAssembler(limit: limit) }

  /// Returns the next message without waiting, if it is complete. Reads nothing ahead, so that poll
  /// reports a waiting message.
  /// - Throws: ``StreamError``: `closed`, `truncated` inside a message, `tooLong`,
  ///   `tooManyDescriptors`, `system`. The stream is lost then.
  package mutating func readAvailable(from socket: Int32) throws(StreamError) -> SecretBytes? {
    let isInsideMessage = assembler.isInsideMessage
    var hasMore = true
    // A sender of descriptors is cut off. Only a host could be one, whose thread alone waits here.
    var descriptors = ReceivedDescriptors(closedBy: nil)
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

  /// Waits for the next message; nil after the deadline, even inside a message.
  package mutating func read(
    from socket: Int32, until deadline: Deadline
  ) throws(StreamError) -> SecretBytes? {
    // The message has rarely come yet.
    while true {
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let ready = unsafe Glibc.poll(&poll, 1, deadline.remainingMilliseconds)
      if ready == 0 { return nil }
      if ready < 0, errno != EINTR { throw .system(call: "poll", errno: errno) }
      if ready > 0, let message = try readAvailable(from: socket) { return message }
    }
  }
}

/// Puts messages together from pieces of a stream. Does no input or output.
///
/// ``MessageStream`` waits for the rest of a message. A process that serves several others must
/// not, because any of them could stop in the middle.
package struct MessageAssembler: ~Copyable, Sendable {
  private var header = SecretBytes(count: MessageFraming.headerSize)
  private var body: SecretBytes?
  private var filled = 0

  /// Most bytes of a message.
  package let limit: Int

  package init(limit: Int) { self.limit = limit }

  package var isInsideMessage: Bool { filled > 0 || body != nil }

  /// Takes one piece.
  /// - Parameter read: fills the beginning of the memory it is given, at most the rest of a header
  ///   or message, and returns the number of bytes.
  /// - Returns: the message, if this piece completes it.
  /// - Throws: ``StreamError/tooLong(count:limit:)``, before memory is reserved. The stream is lost
  ///   then.
  @unsafe package mutating func take(
    _ read: (UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  ) throws(StreamError) -> SecretBytes? {
    let start = filled
    guard var message = body.take() else {
      filled += unsafe try header.withUnsafeMutableBytes {
        (bytes: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int in
        unsafe try read(UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
      guard filled == MessageFraming.headerSize else { return nil }
      let count = try MessageFraming.count(in: header.bytes, limit: limit)
      filled = 0
      guard count > 0 else { return SecretBytes(count: 0) }
      body = SecretBytes(count: count)
      return nil
    }
    let arrived: Int
    do throws(StreamError) {
      arrived = unsafe try message.withUnsafeMutableBytes {
        (bytes: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int in
        unsafe try read(UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
    } catch {
      body = consume message
      throw error
    }
    filled += arrived
    guard filled == message.count else {
      body = consume message
      return nil
    }
    filled = 0
    return message
  }
}
