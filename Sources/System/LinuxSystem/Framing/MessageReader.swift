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

/// Puts messages together from whatever pieces of a stream arrive. Does no input or output.
///
/// ``MessageStream`` waits for the rest of a message that has begun; a process that serves several
/// others must not, because any of them could stop in the middle.
package struct MessageAssembler: ~Copyable, Sendable {
  private var header = SecretBytes(count: MessageFraming.headerSize)
  private var body: SecretBytes?
  private var filled = 0

  /// The longest message that is taken, in bytes.
  package let limit: Int

  /// Waits for a first message.
  package init(limit: Int) { self.limit = limit }

  /// Whether a message has begun and is not complete.
  package var isInsideMessage: Bool { filled > 0 || body != nil }

  /// Takes one piece.
  /// - Parameter read: fills the beginning of the memory it is given, never more than the rest of a
  ///   header or message, and returns how many bytes it wrote.
  /// - Returns: the message that is complete with this piece.
  /// - Throws: ``StreamError/tooLong(count:limit:)``, before memory is taken for the message; the
  ///   stream is lost then.
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
